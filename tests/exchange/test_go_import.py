"""Games of Go into a server's ledger: who is who, whose rank counts, and all of it or nothing."""

from __future__ import annotations

from datetime import datetime

import pytest

from banzuke.core.fault import RefusedError, fault
from banzuke.core.go_facts import GoGame, GoPlayer
from banzuke.engine.rating_run import rate_ledger
from banzuke.exchange.go_import import UnknownGoPlayer, UnknownGoPlayersError, receive_go
from banzuke.formats.report import GoReport, ReportedGoGame
from banzuke.formats.sgf import sgf_reader, sgf_table
from banzuke.ledger.folder import read_ledger
from banzuke.words import LANGUAGES, fault_line

END = "2026-01-04T10:00:00+09:00"
GAME = ReportedGoGame("N1", "ao", "beni", "B", 0, 13, 19, 100, ended=END, file="N1.sgf")


@pytest.fixture
def ledger(ledger_folder):
    return ledger_folder("go")


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def take(ledger, *games, faults=(), **how):
    return receive_go(ledger, GoReport(games, faults), **how)


def refused(ledger, *games, faults=(), **how):
    before = contents(ledger)
    with pytest.raises(RefusedError) as found:
        take(ledger, *games, faults=faults, **how)
    assert contents(ledger) == before
    for one in found.value.faults:
        assert all(fault_line(one, lang) for lang in LANGUAGES)
    return [(f.file, f.column, f.code, dict(f.facts)) for f in found.value.faults]


class TestTaking:
    def test_a_game_is_written_as_it_was_reported(self, ledger):
        game = GAME._replace(room="free", pair=True, robot="white", komi=-11, handicap=2)
        taken = take(ledger, game)
        written = GoGame(
            "N1", datetime.fromisoformat(END), "ao", "beni", "B", 2, -11, 19, 100,
            room="free", pair=True, robot="white",
        )  # fmt: skip
        assert (taken.games, taken.added, taken.remarks) == ([written], [], ())
        assert read_ledger(ledger).games[-1] == written

    def test_sgf_and_table_to_ledger_to_ranks(self, ledger, tmp_path):
        text = "(;GM[1]SZ[19]KM[0.500000]HA[2]AB[pd][dp]PB[beni]BR[BC]PW[ao]WR[5k+]RE[W+R];W[aa];B[bb])"
        report = sgf_reader.read(text.encode(), "games/g9.sgf")
        table = sgf_table.read_table(f"game_id,ended,moves\ng9,{END},150\n".encode(), "t.csv")
        taken = receive_go(ledger, sgf_table.add_table(report, table))
        assert (taken.games[0].moves, taken.remarks) == (150, ())
        rate_ledger(read_ledger(ledger), tmp_path / "out")
        assert "g9" in (tmp_path / "out" / "changes.csv").read_text("utf-8")

    def test_players_by_id_and_else_by_name(self, ledger):
        with (ledger / "players.csv").open("a") as stream:
            stream.write("P9,Cho,3d,0\nP8,ao,3d,0\n")
        taken = take(ledger, GAME._replace(white="Cho"))
        assert (taken.games[0].black, taken.games[0].white) == ("ao", "P9")

    def test_the_order_is_that_of_the_ends(self, ledger):
        earlier = GAME._replace(game_id="N2", ended="2026-01-04T00:30:00+00:00")
        assert [g.game_id for g in take(ledger, GAME, earlier).games] == ["N2", "N1"]

    def test_nothing_is_taken_of_no_games(self, ledger):
        before = read_ledger(ledger)
        take(ledger)
        assert read_ledger(ledger) == before

    def test_a_readable_part(self, ledger):
        why = fault("N2.sgf", 0, "", "sgf-no-ending", game="N2")
        games = GAME, GAME._replace(game_id="N2", ended="")
        assert refused(ledger, *games, faults=(why,)) == [("N2.sgf", "", "sgf-no-ending", {"game": "N2"})]
        taken = take(ledger, *games, faults=(why,), readable_part=True)
        assert ([g.game_id for g in taken.games], taken.remarks) == (["N1"], (why,))


class TestRanks:
    @pytest.mark.parametrize("rank", ["5k+", "", "?", "15级", "NR", "３段"])
    def test_the_same_or_none_is_no_remark(self, ledger, rank):
        assert take(ledger, GAME._replace(black_rank=rank, white_rank="bc")).remarks == ()

    @pytest.mark.parametrize("rank", ["5k", "6d", "5k?"])
    def test_another_is(self, ledger, rank):
        (remark,) = take(ledger, GAME._replace(black_rank=rank)).remarks
        assert (remark.file, remark.column, remark.code) == ("N1.sgf", "BR", "import-go-other-rank")
        assert dict(remark.facts) == {"player": "ao", "game": "N1", "said": rank, "rank": "5k+"}
        assert all(fault_line(remark, lang) for lang in LANGUAGES)


class TestUnknown:
    def test_are_listed_with_those_they_may_be(self, ledger):
        before = contents(ledger)
        games = (
            GAME._replace(white="dai", white_rank="3d+"),
            GAME._replace(game_id="N2", black="AO", white="dai"),
        )
        with pytest.raises(UnknownGoPlayersError) as found:
            take(ledger, *games)
        assert found.value.unknown == [
            UnknownGoPlayer("N1.sgf", "dai", "3d+", ()),
            UnknownGoPlayer("N1.sgf", "AO", "", ("ao",)),
        ]
        assert contents(ledger) == before

    @pytest.mark.parametrize(
        ("rank", "declared", "professional"),
        [
            ("12k", "12k", False),
            ("3d?", "3d", False),
            ("3d+", "3d", False),
            ("2p", "2p", True),
            ("BC", "BC", False),
        ],
    )
    def test_are_added_with_the_rank_of_their_first_game(self, ledger, rank, declared, professional):
        first = GAME._replace(white="dai", white_rank=rank)
        later = first._replace(game_id="N2", ended="2026-01-05T10:00:00+09:00", white_rank="9d")
        taken = take(ledger, later, first, add_players=True)
        assert taken.added == [GoPlayer("dai", "dai", declared, professional)]
        assert read_ledger(ledger).players[-1] == taken.added[0]

    @pytest.mark.parametrize("rank", ["?", "", "15级", "18k", "10d", "0k"])
    def test_without_a_rank_are_refused(self, ledger, rank):
        found = refused(ledger, GAME._replace(white="dai", white_rank=rank), add_players=True)
        assert found == [("N1.sgf", "", "import-go-no-rank", {"name": "dai", "rank": rank or "-"})]

    def test_who_may_be_known_are_not_added(self, ledger):
        found = refused(ledger, GAME._replace(black="Ao", black_rank="5k"), add_players=True)
        assert found == [("N1.sgf", "", "import-go-alike", {"name": "Ao", "ids": "ao"})]


class TestRefused:
    def test_a_chess_ledger(self, ledger_folder):
        folder = ledger_folder("japan")
        assert refused(folder, GAME) == [(str(folder), "", "not-go", {})]

    def test_a_game_that_is_there(self, ledger):
        assert refused(ledger, GAME._replace(game_id="G1")) == [
            ("N1.sgf", "game_id", "import-go-id", {"id": "G1"})
        ]
        assert refused(ledger, GAME, GAME) == [("N1.sgf", "game_id", "import-go-id", {"id": "N1"})]

    def test_the_same_meeting_under_another_id(self, ledger):
        again = GAME._replace(ended="2026-01-01T02:01:14Z")
        assert refused(ledger, again) == [("N1.sgf", "ended", "import-go-reported", {"id": "G1"})]
        assert refused(ledger, GAME, GAME._replace(game_id="N2")) == [
            ("N1.sgf", "ended", "import-go-reported", {"id": "N1"})
        ]

    def test_a_name_that_two_bear(self, ledger):
        with (ledger / "players.csv").open("a") as stream:
            stream.write("P1,Cho,3d,0\nP2,Cho,5d,0\n")
        games = (
            GAME._replace(white="Cho"),
            GAME._replace(game_id="N2", ended="2026-01-05T10:00:00+09:00", white="Cho"),
        )
        assert refused(ledger, *games) == [
            ("N1.sgf", "", "import-go-which", {"name": "Cho", "ids": "P1, P2"})
        ]

    def test_what_the_ledger_cannot_take(self, ledger):
        assert refused(ledger, GAME._replace(ended="2001-01-01T10:00:00+09:00"))[0][2] == "no-edition"
        assert refused(ledger, GAME._replace(fault="black"))[0][2] == "fault-winner"
