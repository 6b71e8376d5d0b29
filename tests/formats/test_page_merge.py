"""Pages of one event put together: rounds, players, and everything in which pages contradict one another."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from banzuke.core.fault import fault
from banzuke.formats.chess_results.page_merge import NUMBERED_HERE, merge_pages
from banzuke.formats.chess_results.page_reader import read
from banzuke.formats.report import Report, ReportedBye, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.words import LANGUAGES, say

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "chessresults"
needs_data = pytest.mark.skipif(
    not DATA.is_dir(), reason=f"needs the shared folder of real files beside the project: there is no {DATA}"
)

CUP = ReportedEvent(name="Cup", source="tnr5", rounds=2)
ABE, ITO = ReportedPlayer(1, "Abe, Hanako", line=5), ReportedPlayer(2, "Ito, Ken", line=6)
FIRST, SECOND = ReportedGame(1, 1, 2, "1-0", None, 5), ReportedGame(2, 2, 1, "0-1", None, 6)


def round_page(
    *games: ReportedGame, event: ReportedEvent = CUP, players: tuple[ReportedPlayer, ...] = (ABE, ITO)
) -> Report:
    return Report(event, players, games, part=frozenset(game.round for game in games))


def players_page(*players: ReportedPlayer, event: ReportedEvent = CUP) -> Report:
    return Report(event, players, (), part=frozenset())


def codes(report: Report) -> list[str]:
    return [found.code.removeprefix("joining-") for found in report.faults]


def said(report: Report) -> dict[str, str]:
    for lang in LANGUAGES:
        assert say("faults/joining", report.faults[-1].code, lang, **dict(report.faults[-1].facts))
    assert report.faults[-1].file == "pages"
    return dict(report.faults[-1].facts)


class TestAWholeEvent:
    @given(st.permutations([round_page(FIRST), round_page(SECOND), players_page(ABE, ITO)]))
    def test_in_any_order(self, pages: list[Report]) -> None:
        assert merge_pages(pages) == Report(CUP, (ABE, ITO), (FIRST, SECOND))

    def test_one_page_may_be_enough(self) -> None:
        assert merge_pages([round_page(FIRST, SECOND)]) == Report(CUP, (ABE, ITO), (FIRST, SECOND))
        whole = Report(CUP, (ABE, ITO), (FIRST,))
        assert merge_pages([whole]) == whole

    def test_byes_are_those_of_all_pages_once(self) -> None:
        bye, other = ReportedBye(1, 2, 1), ReportedBye(2, 1, 2)
        pages = [round_page(FIRST)._replace(byes=(bye,)), round_page(SECOND)._replace(byes=(other, bye))]
        assert merge_pages(pages).byes == (bye, other)
        elsewhere = round_page(SECOND, event=CUP._replace(source="tnr6"))._replace(byes=(other,))
        assert merge_pages([pages[0], elsewhere]).byes == (bye,)

    def test_details_fill_in_blanks(self) -> None:
        more = ReportedEvent(name="Other", source="tnr5", place="Tokyo", starts=date(2026, 8, 1))
        known = ReportedPlayer(1, "Abe Hanako", fide_id="700", rating=1500, line=9)
        joined = merge_pages([round_page(FIRST, SECOND), players_page(known, event=more)])
        assert joined.faults == ()
        assert joined.event == CUP._replace(place="Tokyo", starts=date(2026, 8, 1))
        assert joined.players[0] == ABE._replace(fide_id="700", rating=1500)

    def test_a_name_cut_short_is_the_same(self) -> None:
        long, short = ReportedPlayer(1, "Konstantinopoulos, Alex"), ReportedPlayer(1, "Konstantinopoulos")
        for pages in ((long, short), (short, long)):
            joined = merge_pages([players_page(pages[0]), round_page(FIRST, SECOND, players=(pages[1], ITO))])
            assert (joined.faults, joined.players[0].name) == ((), "Konstantinopoulos, Alex")

    def test_a_game_told_twice_is_one(self) -> None:
        dated = FIRST._replace(played=date(2026, 8, 1))
        joined = merge_pages([round_page(FIRST, SECOND), round_page(dated)])
        assert (joined.faults, joined.games) == ((), (dated, SECOND))

    def test_faults_and_remarks_of_the_pages_stay(self) -> None:
        wrong, remark = fault("a", 1, "", "cr-no-players"), fault("a", 0, "", "cr-rounds-unknown", rounds=1)
        page = round_page(FIRST, SECOND)._replace(faults=(wrong,), remarks=(remark,))
        assert merge_pages([page])[3:6] == ((wrong,), (remark,), None)

    def test_players_of_pages_without_numbers_are_known_by_name(self) -> None:
        itself = round_page(
            ReportedGame(1, 1, 2, "0-1"), players=(ITO._replace(number=1), ABE._replace(number=2))
        )._replace(remarks=(fault("a", 0, "", NUMBERED_HERE),))
        joined = merge_pages([itself, round_page(SECOND)], "pages")
        assert joined.faults == ()
        assert [(g.white, g.black, g.result) for g in joined.games] == [(2, 1, "0-1"), (2, 1, "0-1")]
        stranger = merge_pages([itself, round_page(SECOND, players=(ABE,)), players_page(ABE)], "pages")
        assert "unknown-name" in codes(stranger)
        alone = merge_pages(
            [itself, itself._replace(games=(ReportedGame(2, 2, 1, "1-0"),), part=frozenset({2}))]
        )
        assert (alone.faults, len(alone.players), len(alone.games)) == ((), 2, 2)


class TestMissingRounds:
    def test_are_a_fault_that_names_them(self) -> None:
        joined = merge_pages(
            [round_page(FIRST, event=CUP._replace(rounds=4)), players_page(ABE, ITO)], "pages"
        )
        assert (codes(joined), joined.part, joined.games) == (["rounds-missing"], frozenset({1}), (FIRST,))
        assert said(joined) == {"rounds": "2, 3, 4", "expected": "4"}

    def test_a_list_of_players_alone_is_no_event(self) -> None:
        joined = merge_pages([players_page(ABE, ITO)], "pages")
        assert (codes(joined), said(joined), joined.part) == (["no-rounds"], {}, frozenset())

    def test_of_an_event_that_does_not_say_how_many_there_are(self) -> None:
        joined = merge_pages([round_page(FIRST, event=CUP._replace(rounds=0))], "pages")
        assert (codes(joined), said(joined)) == (["rounds-unknown"], {"last": "1"})
        gap = merge_pages([round_page(SECOND, event=CUP._replace(rounds=0))], "pages")
        assert (codes(gap), said(gap)["rounds"]) == (["rounds-missing"], "1")

    def test_no_pages_at_all(self) -> None:
        assert codes(merge_pages([])) == ["no-rounds"]


class TestContradictions:
    def test_a_page_of_another_event_is_left_out(self) -> None:
        for other in (ReportedEvent("Cup", source="tnr6", rounds=2), ReportedEvent("Bowl", rounds=2)):
            joined = merge_pages([round_page(FIRST, SECOND), round_page(SECOND, event=other)], "pages")
            assert codes(joined) == ["other-event"]
            assert said(joined) == {
                "name": other.name,
                "source": other.source,
                "first": "Cup",
                "first_source": "tnr5",
            }

    def test_pages_of_one_name_are_one_event_where_one_has_no_source(self) -> None:
        joined = merge_pages([round_page(FIRST), round_page(SECOND, event=ReportedEvent("cup", rounds=2))])
        assert (joined.faults, joined.event) == ((), CUP)

    def test_names(self) -> None:
        joined = merge_pages(
            [round_page(FIRST, SECOND), players_page(ABE, ITO._replace(name="Oda"))], "pages"
        )
        assert (codes(joined), joined.faults[0].line) == (["names-clash"], 6)
        assert said(joined) == {"number": "2", "name": "Oda", "other": "Ito, Ken"}
        assert joined.players == (ABE, ITO)

    @pytest.mark.parametrize("other", [FIRST._replace(result="0-1"), ReportedGame(1, 2, 1, "0-1")])
    def test_results(self, other: ReportedGame) -> None:
        joined = merge_pages([round_page(FIRST, SECOND), round_page(other)], "pages")
        assert (codes(joined), joined.games) == (["games-clash"], (FIRST, SECOND))
        assert said(joined)["other"] == "1-0"


@needs_data
class TestRealPages:
    def test_the_british_pages_give_the_players_their_ids(self) -> None:
        names = ("crosstable_final", "r1", "startingrank")
        pages = [read((DATA / f"british2026_champ_{name}.html").read_bytes(), name) for name in names]
        joined = merge_pages(pages, "pages")
        assert {found.code for found in joined.faults} == {"crosstable-no-result", "cr-under-way"}
        assert (len(joined.players), len(joined.games), joined.part) == (108, 421, None)
        assert all(player.fide_id and player.federation for player in joined.players)
        assert joined.players[0].name == "Mcshane, Luke J"
        assert sum(game.played == date(2026, 8, 1) for game in joined.games) == 53

    def test_two_rounds_of_nine(self) -> None:
        pages = [read((DATA / f"british2026_champ_{name}.html").read_bytes(), name) for name in ("r1", "r9")]
        joined = merge_pages(pages, "pages")
        assert (len(joined.games), joined.part) == (56, frozenset({1, 9}))
        assert dict(joined.faults[-1].facts) == {"rounds": "2, 3, 4, 5, 6, 7, 8", "expected": "9"}
