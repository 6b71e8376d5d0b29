"""Players looked up in a FIDE list, and first ratings taken over: who is, who is not, and why."""

from __future__ import annotations

import zipfile

import pytest

from banzuke.core.fault import RefusedError
from banzuke.exchange.fide_lookup import MOST_FOUND, fide_ratings, find_players, import_ratings
from banzuke.formats.fide.fide_player import FidePlayer
from banzuke.formats.fide.fide_text import write_txt
from banzuke.formats.fide.fide_xml import write_xml
from banzuke.ledger.folder import read_ledger

LISTED = [
    FidePlayer("1503014", "Carlsen, Magnus", "NOR", "M", "GM", standard=2837, rapid=2819, blitz=2886),
    FidePlayer("7000001", "Abe, Ichiro", "JPN", standard=1900, blitz=1750),
    FidePlayer("7000002", "Müller, José Antonio", "GER"),
    FidePlayer("7000003", "Ono, Taro", "JPN", rapid=1555),
    FidePlayer("7000004", "Abe, Jiro", "JPN", standard=1444),
]
PLAYERS = """player_id,name,name_native,fide_id,fide_standard,added,struck
A,ABE Ichiro,,7000001,,,
B,BABA Jiro,馬場 次郎,7000009,,,
C,MULLER Jose,,7000002,,,
D,OHNO Taro,,7000003,,,
E,ENDO Mai,,7000004,,,
F,CARLSEN Magnus,,1503014,2000,,
G,GOTO Aya,,,,,
"""


def silent(done: int, of: int, what: str) -> None:
    """A progress that nobody watches."""


def find(path, *wanted, speed=None):
    return find_players(path, wanted, speed, silent)


def found_ids(path, *wanted):
    found, faults = find(path, *wanted)
    assert faults == []
    return [[player.fide_id for player in sought.players] for sought in found]


@pytest.fixture
def listed(tmp_path):
    path = tmp_path / "players_list_foa.txt"
    path.write_bytes(b"".join(write_txt(LISTED, "")))
    return path


@pytest.fixture
def folder(tmp_path):
    """A pool with one event, in which A plays."""
    made = tmp_path / "ledger"
    made.mkdir()
    (made / "pool.toml").write_text(
        'name = "P"\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2024-10-01\n', "utf-8"
    )
    (made / "players.csv").write_text(PLAYERS, "utf-8")
    (made / "events.csv").write_text(
        "event_id,name,speed,starts,ends,reported\nE1,Open,standard,2025-01-05,2025-01-05,2025-01-06\n",
        "utf-8",
    )
    (made / "games.csv").write_text("event_id,round,white,black,result\nE1,1,A,G,1-0\n", "utf-8")
    return made


def ratings(folder):
    return {
        player.player_id: (player.fide_standard, player.fide_rapid, player.fide_blitz)
        for player in read_ledger(folder).players
    }


class TestFinding:
    def test_by_id_exactly(self, listed):
        assert found_ids(listed, "7000001", "700000", "1503014") == [["7000001"], [], ["1503014"]]

    @pytest.mark.parametrize(
        ("wanted", "ids"),
        [
            ("Carlsen, Magnus", ["1503014"]),
            ("magnus CARLSEN", ["1503014"]),
            ("jose muller", ["7000002"]),
            ("Abe", ["7000001", "7000004"]),
            ("Abe Jiro", ["7000004"]),
            ("Ohno Taro", ["7000003"]),
            ("Abe Saburo", []),
            ("Carl", []),
            (",", []),
            ("", []),
        ],
    )
    def test_by_all_words_of_a_name_in_normal_form(self, listed, wanted, ids):
        assert found_ids(listed, wanted) == [ids]

    def test_answers_stand_in_the_order_of_the_questions_each_once(self, listed):
        found, _ = find(listed, "Jiro Abe", "1503014", "Jiro Abe")
        assert [sought.wanted for sought in found] == ["Jiro Abe", "1503014"]

    def test_of_a_common_name_the_first_hundred_and_how_many_there_are(self, tmp_path):
        path = tmp_path / "list.xml"
        path.write_bytes(b"".join(write_xml([FidePlayer(str(n), "Lee, Bo") for n in range(1, 151)], "")))
        [sought] = find(path, "Lee")[0]
        assert (len(sought.players), sought.total) == (MOST_FOUND, 150)

    def test_faults_of_the_list_come_with_what_was_found(self, listed):
        listed.write_bytes(listed.read_bytes() + b"x\r\n")
        found, faults = find(listed, "7000001")
        assert found[0].total == 1
        assert [(fault.file, fault.line, fault.code) for fault in faults] == [
            ("players_list_foa.txt", 7, "fide-bad-id")
        ]

    def test_progress_is_told_in_megabytes(self, listed):
        told = []
        find_players(listed, ["x"], None, lambda *said: told.append(said))
        assert told == [(0, 0, "MB")]


class TestTakingOver:
    def test_players_without_ratings_get_those_of_the_list_whatever_it_has(self, listed, folder):
        done = import_ratings(folder, listed, None, silent)
        assert [(taken.player.player_id, taken.listed.fide_id) for taken in done.taken] == [
            ("A", "7000001"),
            ("D", "7000003"),
        ]
        assert ratings(folder) == {
            "A": (1900, None, 1750),
            "D": (None, 1555, None),
            "F": (2000, None, None),
        } | dict.fromkeys("BCEG", (None, None, None))

    def test_everyone_else_is_told_with_the_reason(self, listed, folder):
        done = import_ratings(folder, listed, None, silent)
        assert [(taken.player.player_id, taken.listed.name) for taken in done.doubtful] == [
            ("E", "Abe, Jiro")
        ]
        assert [player.player_id for player in done.unrated] == ["C"]
        assert [player.player_id for player in done.missing] == ["B"]
        assert [player.player_id for player in done.left] == ["F"]

    def test_who_has_games_already_is_marked(self, listed, folder):
        done = import_ratings(folder, listed, None, silent)
        assert {taken.player.player_id: taken.has_games for taken in done.taken} == {"A": True, "D": False}

    def test_a_later_list_changes_nothing(self, listed, folder, tmp_path):
        import_ratings(folder, listed, None, silent)
        before = (folder / "players.csv").read_bytes()
        later = tmp_path / "later.txt"
        later.write_bytes(b"".join(write_txt([LISTED[1]._replace(standard=2000, rapid=1999)], "")))
        done = import_ratings(folder, later, None, silent)
        assert done.taken == []
        assert [player.player_id for player in done.left] == ["A", "D", "F"]
        assert (folder / "players.csv").read_bytes() == before

    def test_titles_are_filled_in_and_fides_own_follow_the_list(self, folder, tmp_path):
        rows = PLAYERS.replace("struck\n", "struck,title,title_from\n").replace(",,,\n", ",,,,,\n")
        rows = rows.replace("2000,,\n", "2000,,,FM,FIDE\n").replace(
            "次郎,7000009,,,,,", "次郎,7000009,,,,NM,JCF"
        )
        (folder / "players.csv").write_text(rows, "utf-8")
        path = tmp_path / "list.txt"
        found = [
            FidePlayer("7000001", "Abe, Ichiro", "JPN", standard=1900, title="CM"),
            FidePlayer("1503014", "Carlsen, Magnus", "NOR", standard=2800, title="GM"),
            FidePlayer("7000002", "Muller, Jose", "GER", w_title="WIM"),
            FidePlayer("7000009", "Baba, Jiro", "JPN", title="IM"),
            FidePlayer("7000004", "Abe, Jiro", "JPN", title="IM"),
        ]
        path.write_bytes(b"".join(write_txt(found, "")))
        done = import_ratings(folder, path, None, silent)
        assert [(one.player.player_id, one.player.title) for one in done.titled] == [
            ("C", "WIM"),
            ("F", "GM"),
        ]
        titles = {p.player_id: (p.title, p.title_from) for p in read_ledger(folder).players if p.title}
        fide = {"A": ("CM", "FIDE"), "C": ("WIM", "FIDE"), "F": ("GM", "FIDE")}
        assert titles == fide | {"B": ("NM", "JCF")}
        assert ratings(folder)["F"] == (2000, None, None)

    def test_without_a_title_no_column_is_written(self, folder, tmp_path):
        path = tmp_path / "list.txt"
        path.write_bytes(b"".join(write_txt([FidePlayer("7000002", "Muller, Jose", standard=1500)], "")))
        assert import_ratings(folder, path, None, silent).taken
        assert "title" not in (folder / "players.csv").read_text("utf-8")

    def test_a_rating_that_was_struck_is_not_taken_over_again(self, listed, folder):
        rows = PLAYERS + "H,ABE Jiro,,7000004,1400,,2025-02-01\nH,ABE Jiro,,7000004,,2025-02-01,\n"
        (folder / "players.csv").write_text(rows, "utf-8")
        done = import_ratings(folder, listed, None, silent)
        assert "H" in [player.player_id for player in done.left]

    def test_only_the_row_that_stands_is_set(self, listed, folder):
        rows = PLAYERS + "H,ABE Giro,,7000004,,,2025-02-01\nH,ABE Jiro,,7000004,,2025-02-01,\n"
        (folder / "players.csv").write_text(rows, "utf-8")
        import_ratings(folder, listed, None, silent)
        rows = [(p.name, p.fide_standard) for p in read_ledger(folder).players if p.player_id == "H"]
        assert rows == [("ABE Giro", None), ("ABE Jiro", 1444)]

    def test_a_native_name_agrees_too(self, folder, tmp_path):
        path = tmp_path / "list.txt"
        path.write_bytes(b"".join(write_txt([FidePlayer("7000009", "馬場 次郎", "JPN", standard=1500)], "")))
        assert [taken.player.player_id for taken in import_ratings(folder, path, None, silent).taken] == ["B"]

    def test_in_a_fide_pool_the_id_is_the_fide_id(self, ledger_folder, tmp_path):
        fide = ledger_folder("fide")
        path = tmp_path / "list.txt"
        path.write_bytes(b"".join(write_txt([FidePlayer("F1", "Adams, Ann", standard=1800)], "")))
        import_ratings(fide, path, None, silent)
        assert ratings(fide) == {"F1": (1800, None, None), "F2": (None, None, None)}

    def test_a_list_of_one_speed_in_a_zip(self, folder, tmp_path):
        text = b"".join(write_txt([LISTED[1]], "")).decode()
        single = "\r\n".join(
            (line[:113] + cells)
            for line, cells in zip(text.splitlines(), ("JAN25 Gms K", "1900  0   20"), strict=True)
        )
        with zipfile.ZipFile(tmp_path / "list.zip", "w") as packed:
            packed.writestr("list.txt", single)
        with pytest.raises(RefusedError) as refused:
            import_ratings(folder, tmp_path / "list.zip", None, silent)
        assert [fault.code for fault in refused.value.faults] == ["fide-which-speed"]
        import_ratings(folder, tmp_path / "list.zip", "rapid", silent)
        assert ratings(folder)["A"] == (None, 1900, None)


class TestComparing:
    def ratings(self, folder, path):
        ledger = read_ledger(folder)
        return fide_ratings(ledger.pool, ledger.players, path, silent)

    def test_without_a_list_they_are_those_taken_over(self, folder):
        assert self.ratings(folder, None) == ratings(folder)

    def test_of_a_list_whatever_was_taken_over(self, folder, listed):
        found = self.ratings(folder, listed)
        assert found.keys() == ratings(folder).keys()
        by_id = {each.fide_id: (each.standard, each.rapid, each.blitz) for each in LISTED}
        for player in read_ledger(folder).players:
            assert found[player.player_id] == by_id.get(player.fide_id, (None, None, None))
        assert set(by_id.values()) & set(found.values())


class TestRefused:
    def test_a_list_with_faults_changes_nothing(self, listed, folder):
        listed.write_bytes(listed.read_bytes() + b"x\r\n")
        with pytest.raises(RefusedError) as refused:
            import_ratings(folder, listed, None, silent)
        assert [fault.code for fault in refused.value.faults] == ["fide-bad-id"]
        assert (folder / "players.csv").read_text("utf-8") == PLAYERS

    def test_a_go_pool(self, listed, ledger_folder):
        with pytest.raises(RefusedError) as refused:
            import_ratings(ledger_folder("go"), listed, None, silent)
        assert [fault.code for fault in refused.value.faults] == ["not-chess"]

    def test_a_ledger_with_faults(self, listed, folder):
        (folder / "games.csv").write_text("event_id\n", "utf-8")
        with pytest.raises(RefusedError):
            import_ratings(folder, listed, None, silent)
