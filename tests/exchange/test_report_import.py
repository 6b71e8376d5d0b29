"""Reports into a ledger: who is who, what the file lacks, and all of it or nothing."""

from __future__ import annotations

import csv
import io
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path

import openpyxl
import pytest
import trf

from banzuke.core.facts import Event, Game
from banzuke.core.fault import RefusedError
from banzuke.engine.rating_run import rate_ledger
from banzuke.exchange import linked_reports
from banzuke.exchange.decision_table import read_decisions
from banzuke.exchange.event_export import event_report, rated_event
from banzuke.exchange.linked_reports import LinkedReport
from banzuke.exchange.player_identities import ADDED, NEW, Decision
from banzuke.exchange.report_import import EventFields, UndecidedPlayersError, receive
from banzuke.formats import game_list
from banzuke.formats.files.text import csv_text
from banzuke.formats.report import Report, ReportedBye, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.trf import trf_reader, trf_writer
from banzuke.ledger import safe_writing
from banzuke.ledger.byes import read_byes
from banzuke.ledger.folder import read_ledger
from banzuke.words import fault_line

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"

POOL = """name = "Pool"
[[edition]]
rulebook = "jcf-2024"
from = 2024-10-01
"""
PLAYERS = """player_id,name,name_native,birth_date,fide_id,struck
J1,SATO Keiko,佐藤 恵子,1966-07-07,7000001,
J2,ITO Ken,,,,
J3,"Mori, Kazuya",森 和也,,7000003,
J4,ITO Ken,,,7000004,
J5,UEDA Mei,上田 芽衣,,,2025-01-10
J6,UEDA Mei,,,,
"""
EVENTS = "event_id,name,starts,ends,reported,speed\nOLD,Old,2025-01-04,2025-01-04,2025-01-05,standard\n"
GAMES = "event_id,round,white,black,result\nOLD,1,J1,J2,1-0\n"
MEMBERSHIPS = "player_id,kind,valid_from,valid_to\nJ1,annual,2025-01-01,2025-12-31\n"

SAID = EventFields(reported=date(2025, 2, 5), speed="standard")


@pytest.fixture
def ledger(tmp_path):
    folder = tmp_path / "ledger"
    folder.mkdir()
    texts = {
        "pool.toml": POOL,
        "players.csv": PLAYERS,
        "events.csv": EVENTS,
        "games.csv": GAMES,
        "memberships.csv": MEMBERSHIPS,
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def row(number, name, opponent, colour, result, fide_id="", born="", sex=" ", title=""):
    points = {"1": 1.0, "=": 0.5, "+": 1.0}.get(result, 0.0)
    about = (
        f"001 {number:4} {sex}{title:>3} {name:33} {'':4} JPN {fide_id:>11} {born:10} {points:4} {number:4}  "
    )
    return about + f"{opponent:4} {colour} {result}"


def national(number, national_id):
    return f"JPN {number:4} {'':48}{national_id:>11}"


def report(*rows, file="new.trf", name="", starts="2025/02/01", ends="2025/02/02"):
    name = name or ("New Open" if file == "new.trf" else f"New Open {file}")
    head = [f"012 {name}", f"042 {starts}", f"052 {ends}"]
    return file, trf_reader.read("\n".join([*head, *rows, ""]).encode(), file)


def pair(one="SATO Keiko", other="Mori, Kazuya", **facts):
    """A report of one game; facts with `other_` are Black's."""
    black = {key.removeprefix("other_"): value for key, value in facts.items() if key.startswith("other_")}
    white = {key: value for key, value in facts.items() if not key.startswith("other_")}
    return row(1, one, 2, "w", "1", **white), row(2, other, 1, "b", "0", **black)


def take(ledger, *reports, said=SAID, add_players=False):
    return receive(ledger, list(reports), said, add_players=add_players)


def listed(*rows):
    """A plain list of games with its faults' own lines."""
    text = "\n".join(("Round,White,Black,Result,Date", *rows))
    return "list.csv", game_list.read(text.encode(), "list.csv")


def how(received):
    return [(match.player_id, match.how) for taken in received for match in taken.matches]


def refused(ledger, *reports, said=SAID, add_players=False):
    """The faults as lines; and nothing has been written."""
    before = contents(ledger)
    with pytest.raises(RefusedError) as found:
        take(ledger, *reports, said=said, add_players=add_players)
    assert contents(ledger) == before
    return [fault_line(fault, "en") for fault in found.value.faults]


def unknown(ledger, *reports):
    """Who is unknown, by file and name; and nothing has been written."""
    before = contents(ledger)
    with pytest.raises(UndecidedPlayersError) as found:
        take(ledger, *reports)
    assert contents(ledger) == before
    return [(one.file, one.reported.name) for one in found.value.undecided]


def likely(ledger, *reports, add_players=False):
    """The candidates of each who is to be decided on; and nothing has been written."""
    before = contents(ledger)
    with pytest.raises(UndecidedPlayersError) as found:
        take(ledger, *reports, add_players=add_players)
    assert contents(ledger) == before
    return {
        one.reported.name: [candidate.player_id for candidate in one.candidates]
        for one in found.value.undecided
    }


class TestWhoIsWho:
    def test_by_national_id_before_all_else(self, ledger):
        rows = *pair("Sato, K.", "MORI Kazuya", fide_id=""), national(1, "J1"), national(2, "J3")
        assert how(take(ledger, report(*rows))) == [("J1", "national id"), ("J3", "national id")]

    def test_by_fide_id(self, ledger):
        rows = pair("KEIKO Sato", "Mori, Kazuya", fide_id="7000001", other_fide_id="7000003")
        assert how(take(ledger, report(*rows))) == [("J1", "FIDE id"), ("J3", "FIDE id")]

    def test_by_the_exact_name(self, ledger):
        assert how(take(ledger, report(*pair()))) == [("J1", "name"), ("J3", "name")]

    def test_by_the_native_name(self, ledger):
        assert how(take(ledger, report(*pair("佐藤 恵子", "森 和也")))) == [("J1", "name"), ("J3", "name")]

    def test_an_id_with_anothers_name_is_asked_about(self, ledger):
        rows = *pair("TANAKA Ken"), national(1, "J1")
        assert likely(ledger, report(*rows))["TANAKA Ken"][0] == "J1"

    @pytest.mark.parametrize("name", ["sato Keiko", "SATO  Keiko", "SATO Keik", "SATO, Keiko", "Keiko SATO"])
    def test_a_name_that_is_nearly_the_same_is_asked_about(self, ledger, name):
        reported = " ".join(name.split()) if name == "SATO  Keiko" else name
        assert likely(ledger, report(*pair(name)), add_players=True)[name] == ["J1"], reported

    def test_a_name_against_another_fide_id_is_not_enough(self, ledger):
        """Somebody else of the same name must not get the member's games."""
        assert likely(ledger, report(*pair(fide_id="7999999")))["SATO Keiko"] == ["J1"]

    def test_two_members_of_a_name(self, ledger):
        assert likely(ledger, report(*pair("ITO Ken")))["ITO Ken"] == ["J2", "J4"]
        assert how(take(ledger, report(*pair("ITO Ken"), national(1, "J4"))))[0] == ("J4", "national id")

    def test_two_members_of_a_fide_id(self, ledger):
        text = PLAYERS.replace("7000004", "7000001")
        (ledger / "players.csv").write_text(text, "utf-8")
        assert likely(ledger, report(*pair(fide_id="7000001")))["SATO Keiko"] == ["J1", "J4"]

    def test_a_struck_row_names_nobody(self, ledger):
        assert how(take(ledger, report(*pair("UEDA Mei"))))[0] == ("J6", "name")
        assert likely(ledger, report(*pair("上田 芽衣"), file="two.trf")) == {"上田 芽衣": []}

    def test_two_reported_players_who_are_one_member_are_both_asked_about(self, ledger):
        rows = pair("SATO Keiko", "Keiko SATO", other_fide_id="7000001")
        assert likely(ledger, report(*rows)) == {"SATO Keiko": ["J1"], "Keiko SATO": ["J1"]}
        decided = [Decision("new.trf", 1, "SATO Keiko", NEW)]
        assert how(receive(ledger, [report(*rows)], SAID, decided)) == [
            ("P00007", "added"),
            ("J1", "FIDE id"),
        ]

    def test_two_who_were_decided_to_be_one_member(self, ledger):
        decided = [Decision("new.trf", 1, "SATO Keiko", "J1"), Decision("new.trf", 2, "Mori, Kazuya", "J1")]
        with pytest.raises(RefusedError) as found:
            receive(ledger, [report(*pair())], SAID, decided)
        assert [fault_line(fault, "en") for fault in found.value.faults] == [
            (
                "new.trf:5: Mori, Kazuya: This is J1, who is SATO Keiko in line 4 already; "
                "decide otherwise on one of the two."
            )
        ]


class TestDecisions:
    DECIDED = Decision("new.trf", 1, "ITO Ken", "J4")

    def test_are_followed(self, ledger):
        found = receive(ledger, [report(*pair("ITO Ken"))], SAID, [self.DECIDED])
        assert how(found) == [("J4", "decided"), ("J3", "name")]

    def test_may_be_somebody_new_of_a_known_name(self, ledger):
        found = receive(ledger, [report(*pair("ITO Ken"))], SAID, [self.DECIDED._replace(player_id=NEW)])
        assert how(found)[0] == ("P00007", "added")
        assert read_ledger(ledger).players[-1].name == "ITO Ken"

    def test_go_before_what_seemed_sure(self, ledger):
        decision = Decision("new.trf", 1, "SATO Keiko", "J2")
        assert how(receive(ledger, [report(*pair())], SAID, [decision]))[0] == ("J2", "decided")

    def test_of_a_table_stand_in_their_lines(self):
        rows = 'file,number,name,player_id\na.trf,1,"ITO\nKen",J2\na.trf,x,ABE Jun,J3\n'
        with pytest.raises(RefusedError) as refused:
            read_decisions(rows.encode(), "who.csv")
        assert [(fault.line, fault.code) for fault in refused.value.faults] == [(4, "who-number")]

    def test_of_a_heading_twice(self):
        with pytest.raises(RefusedError) as refused:
            read_decisions(b"file,number,name,player_id,player_id\na.trf,1,ITO Ken,J2,J3\n", "who.csv")
        assert [(f.line, f.column, f.code) for f in refused.value.faults] == [(1, "E", "sheet-heading-twice")]

    def test_of_a_second_sheet(self):
        book = openpyxl.Workbook()
        for sheet, number in ((book.active, 1), (book.create_sheet("more"), 2)):
            sheet.append(["file", "number", "name", "player_id"])
            sheet.append(["a.trf", number, "ITO Ken", "J2"])
        stream = io.BytesIO()
        book.save(stream)
        with pytest.raises(RefusedError) as refused:
            read_decisions(stream.getvalue(), "who.xlsx")
        assert [f.code for f in refused.value.faults] == ["sheet-alike"]

    @pytest.mark.parametrize(
        ("decision", "line"),
        [
            (DECIDED._replace(name="ITO Kenji"), "The decision for this player was made for “ITO Kenji”; "),
            (DECIDED._replace(player_id="J9"), "The decision names J9, who is not in the ledger; "),
            (DECIDED._replace(player_id="J5"), "The decision names J5, who is not in the ledger; "),
        ],
    )
    def test_that_cannot_be(self, ledger, decision, line):
        before = contents(ledger)
        with pytest.raises(RefusedError) as found:
            receive(ledger, [report(*pair("ITO Ken"))], SAID, [decision])
        assert fault_line(found.value.faults[0], "en").startswith(f"new.trf:4: ITO Ken: {line}")
        assert contents(ledger) == before

    def test_for_other_files_and_numbers_do_nothing(self, ledger):
        others = [self.DECIDED._replace(file="b.trf"), self.DECIDED._replace(number=7)]
        with pytest.raises(UndecidedPlayersError):
            receive(ledger, [report(*pair("ITO Ken"))], SAID, others)


class TestReadablePart:
    def test_is_taken_on_request_and_the_faults_are_told(self, ledger):
        bad = report(row(1, "SATO Keiko", 2, "w", "1"), row(2, "Mori, Kazuya", 1, "w", "0"))
        (taken,) = receive(ledger, [bad], SAID, readable_part=True)
        assert (taken.games, [remark.code for remark in taken.remarks]) == ([], ["trf-same-colour"])
        assert read_ledger(ledger).events[-1].event_id == "new"


class TestWaiting:
    """A mail with a link is the report of its day; the page comes later."""

    LINK = LinkedReport("tnr77", date(2025, 1, 15), "Club A")

    def page(self, **about):
        file, found = report(*pair())
        return file, found._replace(event=found.event._replace(source="tnr77", **about))

    def test_waits_in_the_ledger_and_gives_its_day_to_the_page(self, ledger):
        days = {"starts": date(2025, 1, 11), "ends": date(2025, 1, 12)}
        assert receive(ledger, [], EventFields(), links=[self.LINK]) == []
        assert linked_reports.read(ledger) == {"tnr77": self.LINK}
        (taken,) = receive(ledger, [self.page(**days)], EventFields(speed="standard"))
        assert (taken.event.reported, taken.event.reporter) == (date(2025, 1, 15), "Club A")
        assert linked_reports.read(ledger) == {}

    def test_counts_as_of_the_first_mail(self, ledger):
        reminder = LinkedReport("tnr77", date(2025, 1, 17), "Club A")
        receive(ledger, [], EventFields(), links=[reminder, self.LINK])
        assert linked_reports.read(ledger) == {"tnr77": self.LINK}
        receive(ledger, [], EventFields(), links=[reminder])
        assert linked_reports.read(ledger) == {"tnr77": self.LINK}

    @pytest.mark.parametrize(("mailed", "counts"), [(14, (14, "Sato")), (16, (15, "Club A"))])
    def test_counts_as_of_the_page_where_that_came_first(self, ledger, mailed, counts):
        days = {"starts": date(2025, 1, 11), "ends": date(2025, 1, 12)}
        page = self.page(reported=date(2025, 1, mailed), reporter="Sato", **days)
        (taken,) = receive(ledger, [page], EventFields(speed="standard"), links=[self.LINK])
        assert (taken.event.reported.day, taken.event.reporter) == counts

    def test_does_not_wait_where_the_page_comes_with_it(self, ledger):
        days = {"starts": date(2025, 1, 11), "ends": date(2025, 1, 12)}
        receive(ledger, [self.page(**days)], EventFields(speed="standard"), links=[self.LINK])
        assert linked_reports.read(ledger) == {}

    def test_stays_when_its_page_is_refused(self, ledger):
        receive(ledger, [], EventFields(), links=[self.LINK])
        with pytest.raises(RefusedError):
            receive(ledger, [self.page()], EventFields())
        assert linked_reports.read(ledger) == {"tnr77": self.LINK}

    def test_a_damaged_list(self, ledger):
        (ledger / "waiting.csv").write_text("source,reported\ntnr77,tomorrow\n", "utf-8")
        assert refused(ledger, report(*pair()))[0].startswith("waiting.csv: The list of reports that wait")


class TestUnknown:
    def test_are_listed_all_and_nothing_is_written(self, ledger):
        first = report(*pair("NEW One", "NEW Two"))
        second = report(*pair("NEW Three", "SATO Keiko"), file="b.trf")
        assert unknown(ledger, first, second) == [
            ("new.trf", "NEW One"),
            ("new.trf", "NEW Two"),
            ("b.trf", "NEW Three"),
        ]

    def test_are_added_on_request(self, ledger):
        rows = pair("NEW One", "NEW Two", fide_id="7111111", born="1990/05/31", sex="w", title="WIM")
        (taken,) = take(ledger, report(*rows), add_players=True)
        assert how([taken]) == [("7111111", "added"), ("P00008", "added")]
        one, two = read_ledger(ledger).players[-2:]
        assert (one.player_id, one.name, one.fide_id, one.sex) == ("7111111", "NEW One", "7111111", "w")
        assert (one.title, one.title_from, two.title) == ("WIM", "", "")
        assert (one.birth_date, two.birth_date) == (date(1990, 5, 31), None)

    def test_take_their_national_id_first(self, ledger):
        rows = *pair("NEW One", fide_id="7111111"), national(1, "J77")
        assert how(take(ledger, report(*rows), add_players=True))[0] == ("J77", "added")

    def test_never_take_the_id_of_a_struck_row(self, ledger):
        rows = *pair("NEW One"), national(1, "J5")
        assert how(take(ledger, report(*rows), add_players=True))[0] == ("P00007", "added")

    def test_need_a_name(self, ledger):
        (line,) = refused(ledger, report(*pair("", fide_id="7111111")), add_players=True)
        assert line == (
            "new.trf:4: name: Player 1 (7111111) is new, and the report has no name in Latin letters; add the "
            "player as a member first (`banzuke register`), or say which member it is (--who)."
        )

    def test_are_the_same_in_the_next_report(self, ledger):
        first = report(*pair("NEW One", fide_id="7111111"))
        second = report(*pair("New One", fide_id="7111111"), file="b.trf")
        third = report(*pair("NEW One"), file="c.trf")
        found = how(take(ledger, first, second, third, add_players=True))
        assert found[::2] == [("7111111", "added"), ("7111111", "FIDE id"), ("7111111", "name")]
        assert len(read_ledger(ledger).players) == 7

    def test_two_of_one_name_without_ids_are_two(self, ledger):
        found = how(take(ledger, report(*pair("NEW One", "NEW One")), add_players=True))
        assert found == [("P00007", "added"), ("P00008", "added")]


class TestEvent:
    TAKEN = "There is an event '{}' already, in the ledger or from another of these files; if this is another one, give --event-id."

    def test_what_the_file_says(self, ledger):
        rows = "022 Tokyo", "102 Arbiter A", *pair()
        take(ledger, report(*rows))
        assert read_ledger(ledger).events[-1] == Event(
            "new",
            "New Open",
            date(2025, 2, 1),
            date(2025, 2, 2),
            date(2025, 2, 5),
            place="Tokyo",
            responsible="Arbiter A",
            speed="standard",
        )

    def test_what_is_said_of_it_comes_first(self, ledger):
        said = EventFields(
            event_id="E1", name="Other", name_native="別の大会", organiser="C01", place="Osaka", responsible="R", reporter="Q",
            form="meeting", base_minutes=60, increment_seconds=30, fide_rated=False, starts=date(2025, 1, 31),
            ends=date(2025, 2, 3), reported=date(2025, 2, 5), applied=date(2025, 1, 1), paid=date(2025, 2, 6),
            nonmembers=3,
        )  # fmt: skip
        take(ledger, report(*pair()), said=said)
        event = read_ledger(ledger).events[-1]
        facts = {name: getattr(event, name) for name in said._fields}
        assert facts == said._asdict() | {"speed": ""}

    def test_games_with_their_days(self, ledger):
        days = "132" + " " * 88 + "25/02/01"
        take(ledger, report(days, *pair()))
        assert read_ledger(ledger).games["new"] == [Game("new", 1, "J1", "J3", "1-0", date(2025, 2, 1))]

    @pytest.mark.parametrize(
        ("said", "missing"),
        [
            (EventFields(), ["reported", "speed"]),
            (EventFields(speed="rapid"), ["reported"]),
            (EventFields(base_minutes=60), ["reported"]),
            (EventFields(increment_seconds=30), ["reported", "speed"]),
        ],
    )
    def test_what_both_lack_is_asked_for(self, ledger, said, missing):
        assert refused(ledger, report(*pair()), said=said) == [
            f"new.trf: {field}: The file does not say it; give it with --{field}." for field in missing
        ]

    def test_all_that_a_bare_file_lacks(self, ledger):
        bare = ("x.trf", trf_reader.read("\n".join(pair()).encode(), "x.trf"))
        fields = ["name", "starts", "ends", "reported", "speed"]
        assert refused(ledger, bare, said=EventFields()) == [
            f"x.trf: {field}: The file does not say it; give it with --{field}." for field in fields
        ]

    def test_a_club_needs_no_speed(self, ledger):
        (ledger / "pool.toml").write_text(POOL.replace("jcf-2024", "hakodate"), "utf-8")
        take(ledger, report(*pair()), said=EventFields(reported=date(2025, 2, 5)))
        assert read_ledger(ledger).events[-1].speed == ""

    def test_a_club_needs_no_day_of_the_report(self, ledger):
        (ledger / "pool.toml").write_text(POOL.replace("jcf-2024", "hakodate"), "utf-8")
        take(ledger, report(*pair()), said=EventFields())
        assert read_ledger(ledger).events[-1].reported == date(2025, 2, 2)

    def test_an_id_that_is_taken(self, ledger):
        assert refused(ledger, report(*pair(), file="OLD.trf")) == [
            f"OLD.trf: event_id: {self.TAKEN.format('OLD')}"
        ]
        (taken,) = take(ledger, report(*pair(), file="OLD.trf"), said=SAID._replace(event_id="NEW"))
        assert taken.event.event_id == "NEW"

    def test_two_files_of_one_name(self, ledger):
        (line,) = refused(ledger, report(*pair()), report(*pair()))
        assert line == f"new.trf: event_id: {self.TAKEN.format('new')}"

    def test_one_id_for_several_files(self, ledger):
        found = refused(
            ledger, report(*pair()), report(*pair(), file="b.trf"), said=SAID._replace(event_id="E")
        )
        assert found[0].startswith("--event-id: One id for 2 files; import them one by one")

    @pytest.mark.parametrize(
        ("said", "column"),
        [
            ({"reported": date(2025, 2, 1)}, "reported"),
            (
                {"reported": date(2024, 1, 1), "starts": date(2024, 1, 1), "ends": date(2024, 1, 1)},
                "reported",
            ),
            ({"ends": date(2025, 1, 1)}, "ends"),
            ({"event_id": "E\nF"}, "event_id"),
            ({"name": " "}, "name"),
            ({"base_minutes": 5, "speed": "standard"}, "speed"),
        ],
    )
    def test_an_event_that_the_ledger_cannot_take(self, ledger, said, column):
        found = refused(ledger, report(*pair()), said=SAID._replace(**said))
        assert found[0].startswith(f"new.trf: {column}: ")

    def test_a_game_outside_its_days(self, ledger):
        days = "132" + " " * 88 + "25/02/01"
        said = SAID._replace(starts=date(2025, 2, 2))
        (line,) = refused(ledger, report(days, *pair()), said=said)
        assert line.startswith("new.trf:5: played: ")


class TestAllOrNothing:
    def test_one_bad_report_of_several(self, ledger):
        bad = report(row(1, "SATO Keiko", 2, "w", "1"), row(2, "Mori, Kazuya", 1, "w", "0"), file="bad.trf")
        found = refused(ledger, report(*pair()), bad)
        assert found == [
            "bad.trf:5: 97: Round 1: players 2 and 1 (line 4) both have the colour w; one is w, the other b."
        ]

    def test_faults_come_before_unknown_players(self, ledger):
        rows = row(1, "NEW One", 2, "w", "1"), row(2, "ITO Ken", 1, "w", "0")
        (line,) = refused(ledger, report(*rows))
        assert "both have the colour w" in line

    def test_a_ledger_that_does_not_check_takes_nothing(self, ledger):
        (ledger / "games.csv").write_text(GAMES + "OLD,2,J1,J1,1-0\n", "utf-8")
        assert "games.csv:3: black: " in refused(ledger, report(*pair()))[0]

    def test_a_hundred_faults_at_the_most(self, ledger):
        rows = [row(number, f"P {number}", number, "w", "1") for number in range(1, 151)]
        assert len(refused(ledger, report(*rows))) == 100

    def test_a_go_pool(self, tmp_path):
        (line,) = refused(EXAMPLES / "go-server", report(*pair()))
        assert line.endswith("go-server: This is a Go pool's ledger; name that of a chess pool.")

    def test_no_folder(self, tmp_path):
        with pytest.raises(RefusedError):
            take(tmp_path / "missing", report(*pair()))

    def test_a_failure_while_writing_leaves_all_as_it_was(self, ledger, monkeypatch):
        before = contents(ledger)

        def fail(*_):
            raise OSError(28, "No space left on device", "games.csv")

        monkeypatch.setattr("banzuke.ledger.folder.write_csv", fail)
        with pytest.raises(OSError, match="No space left"):
            take(ledger, report(*pair()))
        assert contents(ledger) == before

    def test_an_interrupt_waits_until_the_tables_are_in_place(self, ledger, monkeypatch):
        """Ctrl-C between two files: both are there, then the interrupt is heard."""
        import os
        import signal

        real, seen = safe_writing.replace_tables, []

        def interrupted(folder, *rest):
            if folder == ledger:
                os.kill(os.getpid(), signal.SIGINT)
            real(folder, *rest)
            seen.append(folder)

        monkeypatch.setattr(safe_writing, "replace_tables", interrupted)
        with pytest.raises(KeyboardInterrupt):
            take(ledger, report(*pair()))
        assert seen[-1] == ledger
        assert read_ledger(ledger).events[-1].event_id == "new"
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def test_other_files_of_the_folder_stay(self, ledger):
        (ledger / "notes.txt").write_text("keep", "utf-8")
        (ledger / "lists").mkdir()
        (ledger / "lists" / "lists.csv").write_text("keep", "utf-8")
        take(ledger, report(*pair()))
        assert (ledger / "notes.txt").read_text("utf-8") == "keep"
        assert (ledger / "lists" / "lists.csv").read_text("utf-8") == "keep"
        assert not [path for path in ledger.iterdir() if path.name.startswith(".")]

    def test_tables_in_parquet_become_csv(self, ledger):
        """A table is one file: what is written anew is CSV, and its Parquet file goes."""
        pa = pytest.importorskip("pyarrow", reason="Parquet needs the extra `bulk`")
        from pyarrow import parquet

        for name, text in (("players", PLAYERS), ("memberships", MEMBERSHIPS)):
            header, *cells = csv.reader(text.splitlines())
            columns = dict(zip(header, map(pa.array, zip(*cells, strict=True)), strict=True))
            parquet.write_table(pa.table(columns), ledger / f"{name}.parquet")
            (ledger / f"{name}.csv").unlink()
        take(ledger, report(*pair("NEW One")), add_players=True)
        assert set(contents(ledger)) == {
            "pool.toml", "players.csv", "events.csv", "games.csv", "memberships.parquet",
        }  # fmt: skip
        assert read_ledger(ledger).players[-1].name == "NEW One"

    def test_what_was_there_is_written_again_without_loss(self, ledger):
        take(ledger, report(*pair()))
        with (ledger / "players.csv").open(encoding="utf-8", newline="") as stream:
            rows = list(csv.DictReader(stream))
        old = list(csv.DictReader(PLAYERS.splitlines()))
        assert [{key: row[key] for key in old[0]} for row in rows] == old
        assert (ledger / "memberships.csv").read_text("utf-8") == MEMBERSHIPS


class TestRealReports:
    def folder(self, tmp_path):
        folder = tmp_path / "ledger"
        folder.mkdir()
        (folder / "pool.toml").write_text(
            'name = "Pool"\n[[edition]]\nrulebook = "fide-2024"\nfrom = 2000-01-01\n', "utf-8"
        )
        for name, columns in (
            ("players", "player_id,name"),
            ("events", "event_id,name,starts,ends,reported"),
            ("games", "event_id,round,white,black,result"),
        ):
            (folder / f"{name}.csv").write_text(columns + "\n", "utf-8")
        return folder

    def read(self, shared, name):
        path = shared / "data" / "trf" / name
        return path.name, trf_reader.read(path.read_bytes(), path.name)

    def test_a_large_open_is_taken_and_rates(self, shared, tmp_path):
        folder, report = self.folder(tmp_path), self.read(shared, "karl_mala_2005_frankfurt_284p.trf")
        said = EventFields(event_id="mala", reported=date(2005, 8, 1), speed="standard")
        (taken,) = receive(folder, [report], said, add_players=True)
        assert (len(taken.games), [match.how for match in taken.matches]) == (980, [ADDED] * 284)
        ledger = read_ledger(folder)
        assert (ledger.events[0].name, ledger.events[0].ends) == (
            "9. Karl-Mala-Gedenkturnier",
            date(2005, 7, 31),
        )
        assert ledger.players[0].fide_id == ledger.players[0].player_id == "3400042"
        summary = rate_ledger(ledger, tmp_path / "out")
        assert (summary.lists, summary.lines) == (["2005-09"], 1960)

    def test_the_same_file_again_knows_everyone(self, shared, tmp_path):
        folder, report = self.folder(tmp_path), self.read(shared, "karl_mala_2005_frankfurt_284p.trf")
        for number, add in ((1, True), (2, False)):
            said = EventFields(
                event_id=f"mala{number}", name=f"Mala {number}", reported=date(2005, 8, 1), speed="standard"
            )
            (taken,) = receive(folder, [report], said, add_players=add)
        assert {match.how for match in taken.matches} <= {"FIDE id", "name"}
        assert len(read_ledger(folder).players) == 284

    @pytest.mark.parametrize(
        "name",
        ["incompatible_color", "incorrect_points", "invalid_code", "missing_result"],
    )
    def test_broken_ones_are_refused(self, shared, tmp_path, name):
        folder = self.folder(tmp_path)
        lines = refused(folder, self.read(shared, f"py4swiss_{name}.trf"), add_players=True)
        assert all(line.startswith(f"py4swiss_{name}.trf:") for line in lines)


class TestWhatBrokeIt:
    """Cases found by trying to break the import."""

    @staticmethod
    def report(
        name="Match", days=(date(2025, 1, 4), date(2025, 1, 4)), players=(("A A", "", ""), ("B B", "", ""))
    ):
        people = tuple(
            ReportedPlayer(n, called, fide, national, None, "", "", None, n)
            for n, (called, fide, national) in enumerate(players, 1)
        )
        games = (ReportedGame(1, 1, 2, "1-0", days[0], 1),)
        event = ReportedEvent(name, starts=days[0], ends=days[1], rounds=1)
        return Report(event, people, games)

    @staticmethod
    def pool(folder, book="jcf-2024", players=""):
        folder.mkdir()
        (folder / "pool.toml").write_text(
            f'name = "P"\n[[edition]]\nrulebook = "{book}"\nfrom = 2020-01-01\n'
        )
        (folder / "players.csv").write_text("player_id,name,fide_id\n" + players)
        (folder / "events.csv").write_text("event_id,name,starts,ends,reported\n")
        (folder / "games.csv").write_text("event_id,round,white,black,result\n")
        return folder

    said = EventFields(reported=date(2025, 1, 5), speed="standard")

    def test_the_same_report_under_another_name_is_refused(self, tmp_path):
        folder = self.pool(tmp_path / "L")
        twice = [("a.trf", self.report()), ("b.trf", self.report())]
        with pytest.raises(RefusedError) as refused:
            receive(folder, twice, self.said, add_players=True)
        assert [f.code for f in refused.value.faults] == ["import-reported"]
        receive(folder, twice[:1], self.said, add_players=True)
        with pytest.raises(RefusedError) as refused:
            receive(folder, twice[1:], self.said, add_players=True)
        assert [f.code for f in refused.value.faults] == ["import-reported"]

    def test_an_id_with_somebody_elses_name_is_asked_about(self, tmp_path):
        folder = self.pool(tmp_path / "L", players="10100,TANAKA Ken,\n7,KASPAROV Garry,4100018\n")
        stranger = self.report(players=(("A A", "", "10100"), ("Kasparov, G.", "4100018", "")))
        assert list(likely(folder, ("a.trf", stranger), add_players=True)) == ["A A"]

    def test_two_of_one_name_in_a_report_are_two_people(self, tmp_path):
        folder = self.pool(tmp_path / "L")
        namesakes = self.report(players=(("A A", "", ""), ("A A", "", "")))
        (taken,) = receive(folder, [("a.trf", namesakes)], self.said, add_players=True)
        assert [match.player_id for match in taken.matches] == ["P00001", "P00002"]

    def test_in_a_pool_of_fide_numbers_the_id_is_the_fide_id(self, tmp_path):
        folder = self.pool(tmp_path / "L", "fide-2024", "77,KASPAROV G,\n")
        report = self.report(players=(("Kasparov G", "77", ""), ("B B", "", "")))
        (taken,) = receive(folder, [("a.trf", report)], self.said, add_players=True)
        assert [(m.player_id, m.how) for m in taken.matches] == [("77", "FIDE id"), ("P00002", ADDED)]

    def test_links_and_permissions_of_tables_stay(self, tmp_path):
        folder = self.pool(tmp_path / "L")
        register = tmp_path / "register.csv"
        (folder / "players.csv").rename(register)
        register.chmod(0o600)
        (folder / "players.csv").symlink_to(register)
        receive(folder, [("a.trf", self.report())], self.said, add_players=True)
        assert (folder / "players.csv").is_symlink()
        assert register.stat().st_mode & 0o777 == 0o600
        assert len(register.read_text("utf-8").splitlines()) == 3

    def test_imports_at_once_lose_nothing(self, tmp_path):
        folder = self.pool(tmp_path / "L")
        with ProcessPoolExecutor(4) as processes:
            jobs = [
                processes.submit(
                    receive, folder, [(f"e{n}.trf", self.report(f"Match {n}"))], self.said, add_players=True
                )
                for n in range(4)
            ]
        assert [len(job.result()) for job in jobs] == [1, 1, 1, 1]
        assert len((folder / "events.csv").read_text("utf-8").splitlines()) == 5
        assert len((folder / "games.csv").read_text("utf-8").splitlines()) == 5


class TestFidePool:
    """In a pool of FIDE's ids nothing else goes out as a FIDE id, and everybody is known again."""

    @staticmethod
    def reported(name, *people):
        players = tuple(
            ReportedPlayer(n, called, fide, national, line=n)
            for n, (called, fide, national) in enumerate(people, 1)
        )
        games = tuple(ReportedGame(n, 1, n + 1, "1-0") for n in range(1, len(players)))
        event = ReportedEvent(name, starts=date(2025, 1, 4), ends=date(2025, 1, 5), rounds=len(games))
        return f"{name}.trf", Report(event, players, games)

    def test_who_is_added_is_known_again_from_what_goes_out(self, tmp_path):
        folder = tmp_path / "fide"
        TestWhatBrokeIt.pool(folder, "fide-2024", '1126881,"Swiercz, Dariusz",\n')
        (folder / "standings.csv").write_text(
            "player_id,speed,rating,games\n1126881,standard,2600,100\n", "utf-8"
        )
        people = ("Swiercz, Dariusz", "1126881", ""), ("Aronian, Levon", "13300474", "J77")
        people += ("Nobody, Known", "", "90001"), ("Sato, Keiko", "", "J78"), ("Sato, Ken", "", "")
        (taken,) = receive(folder, [self.reported("A", *people)], SAID, add_players=True)
        ids = ["1126881", "13300474", "P00003", "P00004", "P00005"]
        assert [match.player_id for match in taken.matches] == ids
        out = event_report(rated_event(read_ledger(folder), "A"), "JPN", birth_dates=False)
        data = trf_writer.write(out, version=16, federation_code="JPN")
        again = trf_reader.read(data, "again.trf")
        assert again.faults == ()
        numbers = {player.name: (player.fide_id, player.national_id) for player in again.players}
        assert numbers == {
            "Swiercz, Dariusz": ("1126881", ""),
            "Aronian, Levon": ("13300474", ""),
            "Nobody, Known": ("", "P00003"),
            "Sato, Keiko": ("", "P00004"),
            "Sato, Ken": ("", "P00005"),
        }
        said = SAID._replace(event_id="B", name="B")
        (taken,) = receive(folder, [("again.trf", again)], said)
        assert {(match.reported.name, match.player_id) for match in taken.matches} == {
            (name, own or national) for name, (own, national) in numbers.items()
        }
        assert {match.how for match in taken.matches} == {"FIDE id", "national id"}

    def test_a_number_that_comes_later_is_told(self, tmp_path):
        folder = tmp_path / "fide"
        TestWhatBrokeIt.pool(folder, "fide-2024")
        first = self.reported("A", ("Eide, Nora", "", ""), ("Foss, Kari", "1500004", ""))
        (taken,) = receive(folder, [first], SAID, add_players=True)
        assert ([match.player_id for match in taken.matches], taken.remarks) == (["P00001", "1500004"], ())
        said = SAID._replace(event_id="B", name="B")
        later = self.reported("B", ("Eide, Nora", "1500099", ""), ("Foss, Kari", "1500004", ""))
        (taken,) = receive(folder, [later], said)
        assert [match.player_id for match in taken.matches] == ["P00001", "1500004"]
        assert [(told.code, told.column, told.line) for told in taken.remarks] == [
            ("import-new-fide-id", "Eide, Nora", 1)
        ]


class TestByes:
    """Points for byes go out again, with players who have nothing else."""

    @staticmethod
    def reported(name="A"):
        players = tuple(
            ReportedPlayer(n, called, line=n) for n, called in enumerate(("A A", "B B", "C C"), 1)
        )
        games = (ReportedGame(1, 1, 2, "1-0"), ReportedGame(3, 2, 1, "1-0"))
        byes = (ReportedBye(1, 3, 2), ReportedBye(2, 1, 1), ReportedBye(4, 3, 1))
        event = ReportedEvent(name, starts=date(2025, 1, 4), ends=date(2025, 1, 5), rounds=4)
        return f"{name}.trf", Report(event, players, games, byes=byes)

    @staticmethod
    def written(folder, event_id="A"):
        found = rated_event(read_ledger(folder), event_id)
        byes = read_byes(folder, event_id)
        return trf_writer.write(event_report(found, "", birth_dates=False, byes=byes), version=16)

    def test_go_out_again_with_right_points(self, tmp_path):
        folder = tmp_path / "club"
        TestWhatBrokeIt.pool(folder, "hakodate")
        receive(folder, [self.reported("A"), self.reported("B")], EventFields(), add_players=True)
        report = trf_reader.read(self.written(folder), "x")
        names = {player.number: player.name for player in report.players}
        assert {(bye.round, names[bye.player], bye.half_points) for bye in report.byes} == {
            *[(1, "C C", 2), (2, "A A", 1), (4, "C C", 1)]
        }
        assert (report.faults, report.event.rounds) == ((), 4)
        theirs = trf.loads(self.written(folder, "B").decode())
        assert {player.name: player.points for player in theirs.players} == {"A A": 1.5, "B B": 1, "C C": 1.5}

    def test_a_row_that_says_nothing_any_more(self, tmp_path):
        folder = tmp_path / "club"
        TestWhatBrokeIt.pool(folder, "hakodate")
        receive(folder, [self.reported()], EventFields(), add_players=True)
        with (folder / "byes.csv").open("a", encoding="utf-8") as stream:
            stream.write("A,1,P00001,1\nA,2,nobody,1\nGone,1,P00001,1\n")
        assert len(trf_reader.read(self.written(folder), "x").byes) == 3

    def test_a_damaged_table_is_said_before_anything_is_written(self, tmp_path):
        folder = tmp_path / "club"
        TestWhatBrokeIt.pool(folder, "hakodate")
        (folder / "byes.csv").write_text("event_id,round,player_id,points\nA,1,P1,7\n", "utf-8")
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        with pytest.raises(RefusedError):
            receive(folder, [self.reported("A")], EventFields(), add_players=True)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before

    @pytest.mark.parametrize("row", ["A,1,P1", "A,x,P1,1", "A,0,P1,1", "A,1,P1,2", "A,1,P1,1,1"])
    def test_a_damaged_table_is_refused(self, tmp_path, row):
        (tmp_path / "byes.csv").write_text(f"event_id,round,player_id,points\n{row}\n", "utf-8")
        with pytest.raises(RefusedError) as refused:
            read_byes(tmp_path)
        assert (refused.value.faults[0].file, refused.value.faults[0].line) == ("byes.csv", 2)


class TestFaultsOfTheLedger:
    """What the ledger would refuse is said of the report: its file, its line, its names."""

    SAID = SAID._replace(name="List")

    def test_of_games(self, ledger):
        rows = (
            "1,WADA Yoko,SATO Keiko,1-0,2025-02-01",
            '1,WADA Yoko,"Mori, Kazuya",1-0,2025-02-01',
            '1,"Mori, Kazuya",SATO Keiko,1-0,2025-02-01',
        )
        lines = refused(ledger, listed(*rows), said=self.SAID, add_players=True)
        assert [line.partition(";")[0] for line in lines] == [
            "list.csv:3: white: 'WADA Yoko' has another game in round 1, in line 2",
            "list.csv:4: white: 'Mori, Kazuya' has another game in round 1, in line 3",
            "list.csv:4: black: 'SATO Keiko' has another game in round 1, in line 2",
        ]

    @pytest.mark.parametrize("name", ['=HYPERLINK("x")', "+81 3", "@SUM(A1)", "＝1"])
    def test_a_new_member_is_no_formula(self, ledger, name):
        rows = ("1,SATO Keiko,WADA Yoko,1-0,2025-02-01", f"2,SATO Keiko,{csv_text([[name]])}".strip())
        (line,) = refused(ledger, listed(rows[0], f"{rows[1]},1-0,"), said=self.SAID, add_players=True)
        assert line.startswith(f"list.csv:3: name: “{name}” begins like a spreadsheet formula; ")

    def test_of_new_players_and_the_event(self, ledger):
        rows = (
            '1,SATO Keiko,"WADA\nYoko",1-0,2025-02-01',  # whose row in the ledger would be of two lines
            '2,"Mori, Kazuya",ABE Rеi,1-0,2025-02-01',  # with a Cyrillic letter
        )
        lines = refused(ledger, listed(*rows), said=self.SAID._replace(name="List "), add_players=True)
        assert [line.partition(": ")[0] for line in lines] == ["list.csv:2", "list.csv:4", "list.csv"]
