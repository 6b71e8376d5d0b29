"""Tie-breaks by hand-worked tables, and what standings refuse."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.fault import RefusedError
from banzuke.exchange.standings import gacrux_engine
from banzuke.exchange.standings.gacrux_engine import PlayerRank
from banzuke.exchange.standings.standings import TOO_LARGE, StandingsOptions, event_standings, standings
from banzuke.exchange.standings.tie_breaks import (
    ROUND_ROBIN,
    SWISS,
    edition_of,
    known_codes,
    parse_codes,
)
from banzuke.exchange.standings.tournament import Entrant, Tournament, report_tournament, table_tournament
from banzuke.exchange.standings.us_tie_breaks import Round, median, modified_median
from banzuke.exchange.standings.wording import code_list, title_of
from banzuke.formats.events.event_table import EventRow, EventTable, RoundCell
from banzuke.formats.events.standings_table import value_text
from banzuke.formats.report import Report, ReportedBye, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.trf import trf_reader
from banzuke.words import LANGUAGES

RATINGS = {1: 2000, 2: 1800, 3: 1700, 4: 1900, 5: 1600}
ENTRANTS = tuple(Entrant(number, f"P{number}", rating=rating) for number, rating in RATINGS.items())
#: Three rounds of five: 5 has a bye and later wins by forfeit, 4 a half-point bye, 2 stays away at the end.
GAMES = (
    ReportedGame(1, 1, 2, "1-0"),
    ReportedGame(1, 3, 4, "1/2-1/2"),
    ReportedGame(2, 5, 1, "0-1"),
    ReportedGame(2, 2, 3, "1-0"),
    ReportedGame(3, 1, 4, "1/2-1/2"),
    ReportedGame(3, 5, 3, "+/-"),
)
BYES = (ReportedBye(1, 5, 2), ReportedBye(2, 4, 1))
EVENT = Tournament(ENTRANTS, GAMES, BYES, 3, None, knows_byes=True)

#: Worked out by hand for players 1 to 5, by the edition of 2024 where nothing else is said.
TABLE = {
    "BH": (5, 4, 3.5, 4.5, 6.5),
    "BH-C1": (3.5, 3, 3, 3, 4.5),
    "BH-M1": (1.5, 0.5, 1.5, 0.5, 2),
    "SB": (4.25, 0.5, 0.75, 2.25, 4),
    "WIN": (2, 1, 0, 0, 2),
    "WON": (2, 1, 0, 0, 0),
    "BPG": (1, 1, 1, 2, 0),
    "BWG": (1, 0, 0, 0, 0),
    "REP": (3, 2, 2, 2, 3),
    "PS": (5.5, 2, 1.5, 3, 4),
    "PS-C1": (4.5, 2, 1, 2.5, 3),
    "KS": (1.5, 0, 0.5, 0.5, 0),
    "ARO": (1767, 1850, 1850, 1850, 2000),
    "ARO-C1": (1850, 2000, 1900, 2000, None),
    "SOLK": (4, 3.5, 3, 3.5, 2.5),
    "MED": (1.5, 1, 1.5, 1, 0),
    "MMED": (3, 1, 1.5, 1, 2.5),
    "CUM": (5.5, 2, 1.5, 3, 2),
    "OCUM": (7, 7, 5, 7, 5.5),
    "MB": (1, 1, 1, 2, 0),
    "KASH": (10, 5, 3, 4, 1),
}


BLANK = PlayerRank(1, 0, ())


def values(code, event=EVENT, **options):
    """The values of a tie-break by the players' numbers."""
    table = standings(event, StandingsOptions(code, **({"edition": 2024} | options)))
    return {row.number: None if row.values[0] is None else float(row.values[0]) for row in table.rows}


def joined(tie_breaks):
    """The codes, as they can be given."""
    return ",".join(tie_break.code for tie_break in tie_breaks)


def trf_row(number, points, *rounds):
    """A player's record, with its rounds."""
    begins = f"001 {number:4}      P{number}".ljust(80)
    return "  ".join((f"{begins}{points:>4} {number:4}", *rounds))


class TestByHand:
    @pytest.mark.parametrize("code", TABLE)
    def test_swiss(self, code):
        assert values(code) == dict(enumerate(TABLE[code], 1))

    def test_points_and_ranks(self):
        table = standings(EVENT)
        assert [(row.rank, row.number, row.points) for row in table.rows] == [
            (1, 1, 5),
            (2, 5, 4),
            (3, 4, 3),
            (4, 2, 2),
            (5, 3, 1),
        ]
        assert (table.codes, table.rounds, table.is_round_robin, table.knows_byes) == (SWISS, 3, False, True)

    def test_since_2026_a_round_not_played_is_worth_no_more_than_draws_or_the_opponent(self):
        assert values("BH", edition=2026) == {1: 5, 2: 4, 3: 3.5, 4: 4.5, 5: 4.5}

    def test_a_bye_of_the_last_round_counts_and_one_of_a_round_to_come_does_not(self):
        more = EVENT._replace(byes=(*BYES, ReportedBye(3, 2, 1), ReportedBye(4, 3, 2)), rounds=4)
        assert values("CUM", more) == values("CUM") | {2: 2.5}
        assert {row.number: row.points for row in standings(more).rows} == {1: 5, 2: 3, 3: 1, 4: 3, 5: 4}

    def test_the_others_for_some(self):
        assert values("FB")[1] == 4.5
        assert (values("AOB")[1], values("AOB")[3]) == (5, 4.25)
        assert (values("TPR")[1], values("TPR")[5]) == (1767 + 273, 2000 - 800)
        assert values("PTP")[5] == 2000 - 800
        assert (values("APRO")[5], values("APPO")[5]) == (values("TPR")[1], values("PTP")[1])

    def test_direct_encounter(self):
        """2 and 3 have as many points, and 3 beat 2; 1 has more and 4 fewer."""
        results = {(1, 2): "1-0", (3, 4): "1-0", (1, 3): "1-0", (2, 4): "1-0", (4, 1): "0-1", (2, 3): "0-1"}
        three = {(3, 4): "0-1", (4, 1): "0-1"}
        games = [
            ReportedGame(at // 2 + 1, *pair, result) for at, (pair, result) in enumerate(results.items())
        ]
        event = Tournament(ENTRANTS[:4], tuple(games), (), 3, None, knows_byes=True)
        assert event.is_round_robin
        assert values("DE", event) == {1: 0, 3: 0, 2: 0, 4: 0}
        tied = tuple(game._replace(result=three.get((game.white, game.black), game.result)) for game in games)
        assert values("DE", event._replace(games=tied)) == {1: 0, 2: 0, 3: 0, 4: 0}
        drawn = tuple(
            game._replace(result="1/2-1/2") if (game.white, game.black) in ((1, 3), (2, 4)) else game
            for game in games
        )
        ranked = standings(event._replace(games=drawn), StandingsOptions("DE"))
        assert [row.number for row in ranked.rows] == [1, 3, 2, 4]

    def test_who_won_the_game_of_two_that_are_tied_is_first(self):
        pairs = {(1, 2): "0-1", (3, 4): "1-0", (1, 3): "1-0", (2, 4): "0-1", (1, 4): "1-0", (2, 3): "1-0"}
        games = tuple(
            ReportedGame(at // 2 + 1, *pair, result) for at, (pair, result) in enumerate(pairs.items())
        )
        event = Tournament(ENTRANTS[:4], games, (), 3, None, knows_byes=True)
        found = standings(event, StandingsOptions("DE"))
        assert [(row.rank, row.number, row.values[0]) for row in found.rows] == [
            (1, 2, 1),
            (2, 1, 2),
            (3, 3, 1),
            (4, 4, 2),
        ]

    def test_of_nine_rounds_two_opponents_are_cut(self):
        everybody = {number: [Round(1 + number % 2, 0, is_played=True)] * 9 for number in range(1, 10)}
        own = [Round(1, number, is_played=True) for number in range(1, 10)]
        opponents = sorted(9 * (1 + number % 2) for number in range(1, 10))
        assert median(everybody, own) == Decimal(sum(opponents[2:-2])) / 2
        assert modified_median(everybody, own) == median(everybody, own)
        ahead, behind = [own[0]._replace(points=2), *own[1:]], [own[0]._replace(points=0), *own[1:]]
        assert modified_median(everybody, ahead) == Decimal(sum(opponents[2:])) / 2
        assert modified_median(everybody, behind) == Decimal(sum(opponents[:-2])) / 2
        fewer = [9 * (1 + number % 2) for number in range(1, 9)]
        assert median(everybody, own[:8]) == Decimal(sum(sorted(fewer)[1:-1])) / 2


class TestWhatIsAsked:
    def test_unrated_players_leave_rating_tie_breaks_blank(self):
        event = EVENT._replace(entrants=(*ENTRANTS[:4], ENTRANTS[4]._replace(rating=None)))
        table = standings(event, StandingsOptions("ARO,BH"))
        assert {row.values[0] for row in table.rows} == {None}
        assert (table.unrated_count, standings(event, StandingsOptions("BH")).unrated_count) == (1, 0)
        rated = standings(event, StandingsOptions("ARO", rating_of_unrated=1600))
        assert (rated.unrated_count, rated.rows[0].values[0]) == (0, 1767)

    def test_after_a_round(self):
        table = standings(EVENT, StandingsOptions("WIN", last_round=1))
        assert (table.rounds, [(row.rank, row.number) for row in table.rows]) == (
            1,
            [(1, 1), (1, 5), (3, 3), (3, 4), (5, 2)],
        )

    def test_a_round_robin_has_its_own_tie_breaks_unless_told(self):
        games = tuple(ReportedGame(at, *pair, "1-0") for at, pair in enumerate(((1, 2), (1, 3), (2, 3)), 1))
        event = Tournament(ENTRANTS[:3], games, (), 3, date(2025, 1, 1), knows_byes=True)
        table = standings(event)
        assert (table.codes, table.edition) == (ROUND_ROBIN, 2024)
        assert standings(event, StandingsOptions(is_round_robin=False)).codes == SWISS
        assert not event._replace(games=games[:2]).is_round_robin
        assert not event._replace(games=(*games, ReportedGame(4, 2, 1, "1-0"))).is_round_robin
        assert not event._replace(entrants=ENTRANTS[:2], games=games[:1]).is_round_robin

    @pytest.mark.parametrize(
        ("starts", "edition"), [(None, 2026), (date(2026, 2, 28), 2024), (date(2026, 3, 1), 2026)]
    )
    def test_the_edition_is_that_of_the_day(self, starts, edition):
        assert edition_of(starts) == edition

    def test_codes_may_be_written_in_several_ways(self):
        assert joined(parse_codes("bh:c1 MBH;ge、SB/C1，KS-L60,BH-C1,DE-P")) == (
            "BH-C1,BH-M1,REP,SB-C1,KS-L60,DE-P"
        )

    def test_codes_as_a_japanese_keyboard_writes_them(self):
        assert (
            joined(parse_codes("ＢＨ－Ｃ１、ｓｂ：c1；ＢＨーＭ１　KS−L60 bh‐p"))
            == "BH-C1,SB-C1,BH-M1,KS-L60,BH-P"
        )

    def test_the_order_of_cuts_says_nothing(self):
        assert joined(parse_codes("BH-P-C1,BH-C1-P")) == "BH-C1-P"

    def test_of_a_long_word_only_the_beginning_is_repeated(self):
        with pytest.raises(RefusedError) as refused:
            parse_codes("x" * 8000)
        assert dict(refused.value.faults[0].facts)["word"] == "x" * 40

    @pytest.mark.parametrize(
        "code", ["BH-C1-M1", "BHX", "BH-C0", "BH-L5", "DE-C1", "MMED-C1", "BH-C1-C2", "-", "MBH-C1"]
    )
    def test_a_wrong_code_is_refused_with_all_that_there_are(self, code):
        with pytest.raises(RefusedError) as refused:
            standings(EVENT, StandingsOptions(f"SB,{code}"))
        (found,) = refused.value.faults
        facts = dict(found.facts)
        assert (facts["word"], facts["known"]) == (code, ", ".join(known_codes()))

    @pytest.mark.parametrize(("code", "near"), [("BUCH", "BH"), ("solkof", "SOLK"), ("MMD", "MMED")])
    def test_the_nearest_is_named(self, code, near):
        with pytest.raises(RefusedError) as refused:
            parse_codes(code)
        assert near in dict(refused.value.faults[0].facts)["near"].split(", ")

    def test_what_else_is_refused(self, monkeypatch):
        def codes(event, options):
            with pytest.raises(RefusedError) as refused:
                standings(event, options)
            return [fault.code for fault in refused.value.faults]

        assert codes(EVENT._replace(games=()), StandingsOptions()) == ["standings-no-games"]
        assert codes(EVENT, StandingsOptions(edition=1999)) == ["standings-edition"]
        assert codes(EVENT, StandingsOptions(",".join(known_codes()))) == ["standings-too-many"]
        monkeypatch.setattr(gacrux_engine, "is_installed", lambda: False)
        assert codes(EVENT, StandingsOptions()) == ["standings-no-engine"]

    @given(st.permutations(GAMES), st.permutations(range(11, 16)), st.sampled_from(sorted(TABLE)))
    def test_neither_the_order_of_games_nor_the_numbers_matter(self, games, numbers, code):
        new = dict(zip(RATINGS, numbers, strict=True))
        event = EVENT._replace(
            entrants=tuple(each._replace(number=new[each.number]) for each in ENTRANTS),
            games=tuple(game._replace(white=new[game.white], black=new[game.black]) for game in games),
            byes=tuple(bye._replace(player=new[bye.player]) for bye in BYES),
        )
        expected = dict(enumerate(TABLE[code], 1))
        assert values(code, event) == {new[number]: value for number, value in expected.items()}


class TestSources:
    def test_a_report_with_two_results_in_a_round_is_refused(self):
        players = tuple(ReportedPlayer(number, f"P{number}") for number in (1, 2))
        games = (ReportedGame(1, 1, 2, "1-0"), ReportedGame(1, 2, 1, "1-0"))
        with pytest.raises(RefusedError) as refused:
            report_tournament(Report(ReportedEvent(), players, games), "f")
        assert [fault.code for fault in refused.value.faults] == ["standings-twice"] * 2

    def test_rounds_from_0_are_numbered_from_1(self):
        players = tuple(ReportedPlayer(number, f"P{number}") for number in (1, 2))
        games = (ReportedGame(0, 1, 2, "1-0"), ReportedGame(2, 2, 1, "u1-0"))
        found = report_tournament(Report(ReportedEvent(), players, games), "f")
        assert ([game.round for game in found.games], found.rounds) == ([1, 2], 2)
        assert [row.points for row in standings(found).rows] == [2, 2]

    @pytest.mark.parametrize("code", ["BH", "PS", "FB", "CUM"])
    def test_rounds_that_nobody_played_are_none(self, code):
        """However far they reach: a round 99,999 costs no more than a round 3."""
        numbers = {1: 2, 2: 5, 3: 99_999, 4: 100_000}
        games = tuple(game._replace(round=numbers[game.round]) for game in GAMES)
        byes = tuple(bye._replace(round=numbers[bye.round]) for bye in (*BYES, ReportedBye(4, 3, 2)))
        event = EVENT._replace(games=games, byes=byes, rounds=100_000)
        assert values(code, event) == values(code, EVENT._replace(rounds=4))
        assert standings(event).rounds == 99_999
        assert standings(event, StandingsOptions(last_round=3)) == standings(
            event, StandingsOptions(last_round=2)
        )

    def test_a_round_with_nothing_but_a_bye_is_one(self):
        games = tuple(game._replace(round=game.round * 2) for game in GAMES)
        byes = tuple(bye._replace(round=bye.round * 2) for bye in BYES)
        event = EVENT._replace(games=games, byes=(*byes, ReportedBye(5, 2, 1)), rounds=6)
        assert values("PS", event)[1] == 1 + 2 + 2 + 2.5

    def test_rounds_of_a_ledger_keep_their_numbers(self):
        one = (RoundCell(2, "w", "1", True), None, RoundCell(2, "b", "1", True))
        two = (RoundCell(1, "b", "0", True), None, RoundCell(1, "w", "0", True))
        day = date(2025, 5, 1)
        rows = tuple(
            EventRow(number, f"J{number}", "", "", None, row, 0, 0, 0, None, None, None)
            for number, row in enumerate((one, two), 1)
        )
        event = table_tournament(EventTable("p", "l", "b", "E", "", "", day, day, "", (1, 2, 5), rows))
        assert (standings(event).rounds, standings(event, StandingsOptions(last_round=4)).rounds) == (5, 1)

    def test_a_trf_file_tells_its_byes(self):
        rows = (
            trf_row(1, "2.5", "   2 w 1", "0000 - H", "   3 b 1"),
            trf_row(2, "2.0", "   1 b 0", "0000 - U", "0000 - F"),
            trf_row(3, "0.0", "0000 - Z", "0000 - -", "   1 w 0"),
        )
        text = "012 T\n042 2025/01/01\n" + "\n".join(rows) + "\n"
        report = trf_reader.read(text.encode(), "t.trf")
        assert report.faults == ()
        assert report.byes == (ReportedBye(2, 1, 1), ReportedBye(2, 2, 2), ReportedBye(3, 2, 2))
        ranked = standings(report_tournament(report, "t.trf"), StandingsOptions("CUM"))
        assert [row.values[0] for row in ranked.rows] == [5, 1, 0]
        assert [(row.name, row.points) for row in ranked.rows] == [("P1", 5), ("P2", 4), ("P3", 0)]

    def test_a_ledgers_event_by_its_crosstable(self):
        """Forfeits count, both lost too; where a ledger knows no byes, the table says so."""
        cells = {
            1: (RoundCell(2, "w", "1", True), RoundCell(3, "b", "½", True)),
            2: (RoundCell(1, "b", "0", True), RoundCell(4, "w", "-", False)),
            3: (RoundCell(4, "w", "+", False), RoundCell(1, "w", "½", True)),
            4: (RoundCell(3, "b", "-", False), RoundCell(2, "b", "-", False)),
        }
        day = date(2025, 5, 1)
        rows = tuple(
            EventRow(number, f"J{number}", f"P{number}", "", 1500, row, 0, 0, 0, None, None, None)
            for number, row in cells.items()
        )
        table = EventTable("p", "l", "b", "E", "Cup", "", day, day, "standard", (1, 3), rows)
        found, faults = event_standings(table)
        assert {row.number: row.points for row in found.rows} == {1: 3, 3: 3, 2: 0, 4: 0}
        assert (faults, found.knows_byes) == ([], False)
        usual, faults = event_standings(table, "XX")
        assert (usual.codes, [fault.code for fault in faults]) == (SWISS, ["standings-bad-code"])
        assert event_standings(table._replace(rows=rows[:0])).table is None


def large_table(players, rounds):
    """An event in which nobody lost."""
    day = date(2025, 5, 1)
    rows = tuple(
        EventRow(
            number,
            f"J{number}",
            "",
            "",
            None,
            (RoundCell(number + 1 if number % 2 else number - 1, "bw"[number % 2], "½", True),) * rounds,
            *(0, 0, 0, None, None, None),
        )
        for number in range(1, players + 1)
    )
    return EventTable("p", "l", "b", "E", "", "", day, day, "", tuple(range(1, rounds + 1)), rows)


class TestQuickStandings:
    """What takes long is refused where anybody may ask, before anything is worked out."""

    @pytest.mark.parametrize(
        ("players", "rounds", "codes", "tie_breaks", "faults"),
        [
            (10, 3, "", SWISS, []),
            (500, 20, "", SWISS, []),
            (500, 21, "", None, [TOO_LARGE]),
            (500, 21, "BH,WIN", ("BH", "WIN"), []),
            (500, 15, "BH,SB,DE,WIN,PS,KS", SWISS, [TOO_LARGE]),
            (1502, 1, "", None, [TOO_LARGE]),
            (1502, 1, "BH", None, [TOO_LARGE]),
            (1502, 1, "BHX", None, ["standings-bad-code"]),
        ],
    )
    def test_of_a_size(self, players, rounds, codes, tie_breaks, faults, monkeypatch):
        monkeypatch.setattr(gacrux_engine, "rank", lambda event, _: dict.fromkeys(range(players + 1), BLANK))
        found = event_standings(large_table(players, rounds), codes, is_quick=True)
        assert (found.table and found.table.codes, [fault.code for fault in found.faults]) == (
            tie_breaks,
            faults,
        )
        assert event_standings(large_table(players, rounds)).table is not None


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_code_has_its_words(lang):
    entries = [entry for _, group in code_list(lang) for entry in group]
    assert [code for code, *_ in entries] == known_codes()
    assert title_of("BH-C1", lang).endswith(" C1")


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (0, "0"), ("36.50", "36.5"), ("100", "100"), ("0E-3", "0")]
)
def test_values_are_printed_without_idle_zeros(value, text):
    assert value_text(None if value is None else Decimal(value)) == text
