"""What the rules warn about, each with its clause; nothing is excluded by a warning."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from pathlib import Path

import pytest

from banzuke.core.facts import Club, Event, More
from banzuke.core.registry import BOOKS
from banzuke.engine.rule_warnings import warnings
from banzuke.ledger.folder import read_ledger
from banzuke.words import LANGUAGES, fault_line

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@cache
def example(name):
    return read_ledger(EXAMPLES / name)


def event(**facts):
    """An event of the JCF edition that lacks nothing."""
    known = {
        "event_id": "E",
        "name": "Example",
        "starts": date(2025, 3, 8),
        "ends": date(2025, 3, 9),
        "reported": date(2025, 3, 12),
        "organiser": "C01",
        "place": "Tokyo",
        "responsible": "SATO Keiko",
        "speed": "standard",
        "base_minutes": 90,
        "applied": date(2025, 3, 3),
        "nonmembers": 0,
    }
    return Event(**(known | facts))


def earlier(**facts):
    """One of the NCS edition that lacks nothing."""
    starts = date(2024, 5, 13)
    return event(**({"starts": starts, "ends": starts, "reported": starts + timedelta(days=2)} | facts))


def said(*events, **tables):
    """The warnings as English lines, of the example pool with these events only."""
    tables = {"players": [], **tables}
    ledger = replace(example("japan"), events=list(events), games={}, **tables)
    return [fault_line(warning, "en") for warning in warnings(ledger)]


class TestNothingToWarnOf:
    @pytest.mark.parametrize("name", ["us-championship-2025", "japan", "hakodate"])
    def test_in_the_chess_examples(self, name):
        assert warnings(example(name)) == []

    def test_of_events_that_lack_nothing(self):
        assert said(event(), earlier()) == []

    def test_of_a_struck_event(self):
        assert said(event(organiser="", struck=date(2025, 4, 1))) == []


class TestOrganiser:
    def test_unknown(self):
        assert said(event(organiser="Some friends")) == [
            "events.csv: E: The organiser 'Some friends' is not recognised on the first day (JCF 3(3))."
        ]

    def test_none(self):
        assert said(earlier(organiser=""))[0] == (
            "events.csv: E: No organiser is named; a recognised one has to hold the event (NCS 2(1))."
        )

    @pytest.mark.parametrize(
        ("first", "last", "good"),
        [
            ("2025-03-08", "2025-03-08", True),
            ("2025-03-09", "2025-12-31", False),
            ("2024-01-01", "2025-03-07", False),
        ],
    )
    def test_recognised_on_the_first_day(self, first, last, good):
        club = Club("C01", "Club", "club", date.fromisoformat(first), date.fromisoformat(last))
        assert (said(event(), clubs=[club]) == []) is good

    def test_a_student_circle_by_jcf_only(self):
        circle = Club("C01", "Circle", "student", date(2020, 1, 1), date(2030, 1, 1))
        assert said(event(), clubs=[circle]) == []
        assert len(said(earlier(), clubs=[circle])) == 1

    def test_any_row_of_the_club_may_hold(self):
        rows = [Club("C01", "Club", "club", date(y, 1, 1), date(y, 12, 31)) for y in (2024, 2025)]
        assert said(event(), earlier(), clubs=rows) == []


class TestMissing:
    @pytest.mark.parametrize(
        ("facts", "fields"),
        [
            ({"nonmembers": None}, "nonmembers"),
            ({"base_minutes": None}, "base_minutes"),
            ({"speed": ""}, "speed"),
            ({"speed": "", "nonmembers": None}, "speed, nonmembers"),
        ],
    )
    def test_by_jcf(self, facts, fields):
        assert said(event(**facts)) == [f"events.csv: E: The report lacks: {fields} (JCF 4(3))."]

    def test_by_ncs(self):
        assert said(earlier(place=" ", responsible="", nonmembers=None)) == [
            "events.csv: E: The report lacks: place, responsible (NCS 4(1)a)."
        ]


class TestInTime:
    @pytest.mark.parametrize(("applied", "late"), [("2025-03-03", False), ("2025-03-04", True)])
    def test_an_application_five_days_before(self, applied, late):
        found = said(event(applied=date.fromisoformat(applied)))
        line = f"events.csv: E: Applied for on {applied}, less than 5 days before 2025-03-08 (JCF 3(4))."
        assert found == ([line] if late else [])

    def test_none(self):
        assert said(event(applied=None)) == [
            "events.csv: E: The day of application is not given. It must be at least 5 days before 2025-03-08 (JCF 3(4))."
        ]
        assert said(earlier(fide_rated=True)) == [
            "events.csv: E: The day of notification is not given. It must be at least 2 months before 2024-05-13 (NCS 2(3))."
        ]

    @pytest.mark.parametrize(("notified", "late"), [("2024-03-13", False), ("2024-03-14", True)])
    def test_notice_of_a_fide_event_two_months_before(self, notified, late):
        found = said(earlier(fide_rated=True, notified=date.fromisoformat(notified)))
        line = f"events.csv: E: Notified on {notified}, less than 2 months before 2024-05-13 (NCS 2(3))."
        assert found == ([line] if late else [])

    def test_only_of_fide_events_by_ncs(self):
        assert said(earlier(fide_rated=False), event(fide_rated=True)) == []


class TestNames:
    @pytest.mark.parametrize("name", ["SATO, Keiko", "佐藤 恵子", "SATO", "SATO  Keiko", " SATO Keiko"])
    def test_not_in_the_form(self, name):
        (player, *_) = example("japan").players
        assert said(players=[player._replace(name=name)]) == [
            f"players.csv: J001: '{name}' is not in the form FAMILY Given, in Latin letters and without a comma (JCF note 4)."
        ]

    def test_by_the_last_edition(self):
        ledger = example("japan")
        pool = replace(ledger.pool, editions=ledger.pool.editions[:1])
        assert "(NCS 4(3))" in said(players=[ledger.players[0]._replace(name="X")], pool=pool)[0]

    def test_not_of_struck_rows(self):
        struck = example("japan").players[0]._replace(name="X", struck=date(2025, 1, 1))
        assert said(players=[struck]) == []


class TestOrderAndLanguage:
    def test_names_first_then_events_in_their_order(self):
        player = example("japan").players[0]._replace(name="X")
        found = said(event(event_id="B", applied=None), event(event_id="A", organiser=""), players=[player])
        assert [line.split(": ")[1] for line in found] == ["J001", "B", "A", "A"]

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_every_warning_cites_its_clause_in_both_languages(self, lang):
        events = [
            event(organiser="", applied=None, nonmembers=None),
            earlier(organiser="", fide_rated=True, place=""),
        ]
        ledger = replace(example("japan"), events=events, games={})
        found = warnings(ledger)
        assert len(found) == 6
        for warning in found:
            clause = dict(warning.facts)["clause"]
            assert clause in fault_line(warning, lang)
            assert any(clause in book.register for book in BOOKS.values())


class TestGo:
    def test_a_declaration_that_changes_nothing(self):
        assert [fault_line(warning, "en") for warning in warnings(example("go-server"))] == [
            "declarations.csv: aosagi: The declaration of 3k at 2026-01-15T20:10:00+09:00 is ignored: only a provisional player may declare a rank (PN 6(3))."
        ]


class TestDoubtful:
    """Slips that a rule would take at its word: warned about, not refused."""

    def test_born_after_playing_struck_before_added_and_a_low_peak(self, tmp_path):
        (tmp_path / "pool.toml").write_text(
            'name = "P"\n[[edition]]\nrulebook = "fide-2024"\nfrom = 2020-01-01\n'
        )
        (tmp_path / "players.csv").write_text("player_id,name,birth_date\nA,A,2080-05-05\nB,B,2000-01-01\n")
        (tmp_path / "events.csv").write_text(
            "event_id,name,starts,ends,reported,speed\nE,E,2025-01-04,2025-01-04,2025-01-05,standard\n"
        )
        (tmp_path / "games.csv").write_text(
            "event_id,round,white,black,result,added,struck\nE,1,A,B,1-0,,\nE,2,B,A,1-0,2025-05-01,2025-04-01\n"
        )
        (tmp_path / "standings.csv").write_text(
            "player_id,speed,rating,games,peak\nB,standard,1500,40,1400\n"
        )
        found = [(w.file, w.column, w.code) for w in warnings(read_ledger(tmp_path))]
        assert found == [
            ("players.csv", "A", "warn-born"),
            ("games.csv", "E", "warn-never-stands"),
            ("standings.csv", "B", "warn-peak"),
        ]


class TestOfFide:
    """Declared against the time, and on a later list than the third: rated all the same."""

    @staticmethod
    def said_of(**facts):
        return [f.facts for f in BOOKS["fide-2024"].checks.warnings(event(**facts), [])]

    @pytest.mark.parametrize(
        ("minutes", "declared", "fits", "clause"),
        [
            (5, "standard", "blitz", "FIDE 1.1"),
            (59, "standard", "rapid", "FIDE 1.1"),
            (60, "rapid", "standard", "FIDE RB 1.1.1"),
            (10, "rapid", "blitz", "FIDE RB 1.1.1"),
            (11, "blitz", "rapid", "FIDE RB 1.1.2"),
        ],
    )
    def test_a_declared_speed_that_the_time_does_not_make(self, minutes, declared, fits, clause):
        found = {"speed": declared, "minutes": minutes, "fits": fits, "clause": clause}
        assert self.said_of(base_minutes=minutes, speed=declared) == [found]
        assert list(BOOKS["fide-2024"].checks.event(event(base_minutes=minutes, speed=declared))) == []

    @pytest.mark.parametrize(
        ("minutes", "declared"),
        [
            (60, "standard"),
            (59, "rapid"),
            (11, "rapid"),
            (10, "blitz"),
            (3, "blitz"),
            (3, ""),
            (None, "rapid"),
        ],
    )
    def test_one_that_it_makes(self, minutes, declared):
        assert self.said_of(base_minutes=minutes, speed=declared) == []

    @pytest.mark.parametrize(
        ("ends", "fide_list", "last"),
        [
            ("2025-10-05", "2026-01", ""),
            ("2025-10-05", "2026-02", "2026-01"),
            ("2025-10-30", "2026-01", ""),
            ("2025-10-30", "2026-02", "2026-01"),
            ("2025-10-05", "", ""),
        ],
    )
    def test_a_list_after_the_third(self, ends, fide_list, last):
        late = {"starts": date(2025, 10, 1), "ends": date.fromisoformat(ends)}
        found = self.said_of(**late, more=More(fide_list=fide_list) if fide_list else More())
        assert found == ([{"value": fide_list, "last": last, "clause": "FIDE 9.1"}] if last else [])
