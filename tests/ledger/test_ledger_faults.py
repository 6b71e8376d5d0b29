"""Every fault of a ledger: one thing broken in a small good one, and the line that an officer reads."""

from __future__ import annotations

import errno
import os
import tomllib
from pathlib import Path

import pytest
from broken_ledgers import COLUMNS, change, refusal, refused, rewrite

from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.ledger.folder import read_chess_ledger, read_go_ledger, read_ledger
from banzuke.words import catalogue, fault_line

CASES = tomllib.loads(Path(__file__).with_name("faults.toml").read_text("utf-8"))
NOT_UTF8 = (
    "of this line is not UTF-8 (Excel in Japan saves CSV as CP932); "
    "save the file anew, in Excel as 'CSV UTF-8', in an editor as UTF-8."
)
#: Faults whose tests are in code, here and in the modules beside this one.
ELSEWHERE = {
    *(
        "no-folder",
        "not-chess",
        "not-go",
        "missing-file",
        "missing-file-like",
        "warn-unread",
        "two-files",
        "unreadable",
        "pool-missing",
        "pool-file-name",
        "not-utf8",
        "no-header",
        "book-missing",
        "reform-twice",
    ),
    *(
        "toml-large",
        "toml-tables",
        "workbook",
        "missing-column",
        "not-a-file",
        "no-parquet",
        "not-parquet",
        "parquet-type",
    ),
    *("cell-decimal", "reform-name", "reform-set", "reform-prefix", "reform-parameter", "reform-number"),
    *("reform-signed", "reform-broken", "pool-reform-name", "pool-reform-missing", "pool-reform-book"),
    *("pool-reform-early", "pool-reform-unsigned", "pool-reform-late", "reform-signed-ahead"),
    *("pool-reform-adjustment", "reform-points", "reform-text"),
    *("pool-setting-choice", "cell-decimal-rating"),
    *("points-form", "points-large", "points-old", "points-new", "points-last", "go-adjustments"),
    *("adjustment-list", "adjustment-speed", "adjustment-no-speed"),
    *("zone-shape", "zone-rank", "zone-numbers", "zone-double", "zone-missing", "zone-start", "zone-flicker"),
}


@pytest.fixture
def broken(ledger_folder):
    """A maker of the folder of a case."""

    def make(name):
        path, old, new = CASES[name]["change"]
        kind, file = path.split("/")
        folder = ledger_folder(kind, name)
        change(folder, file, old, new)
        return folder

    return make


@pytest.mark.parametrize("kind", ["japan", "hakodate", "fide", "go"])
def test_the_small_ledgers_are_good(ledger_folder, kind):
    assert read_ledger(ledger_folder(kind)).pool.name.startswith("Small")


@pytest.mark.parametrize(
    ("kind", "read", "line"),
    [
        ("japan", read_go_ledger, "This is a chess pool's ledger; name that of a Go pool."),
        ("go", read_chess_ledger, "This is a Go pool's ledger; name that of a chess pool."),
    ],
)
def test_a_ledger_of_the_other_kind(ledger_folder, kind, read, line):
    folder = ledger_folder(kind)
    with pytest.raises(RefusedError) as caught:
        read(folder)
    assert [fault_line(fault, "en") for fault in caught.value.faults] == [f"{folder}: {line}"]


@pytest.mark.parametrize("name", CASES)
def test_one_thing_broken(broken, name):
    """The line word for word, and no second one that only follows from the fault."""
    folder = broken(name)
    assert refused(folder) == [CASES[name]["en"].replace("BOOKS", ", ".join(BOOKS))]
    if "ja" in CASES[name]:
        assert refused(folder, "ja") == [CASES[name]["ja"]]


def test_every_fault_of_a_ledger_has_a_case(broken):
    codes = {fault.code for name in CASES for fault in refusal(broken(name))}
    assert codes | ELSEWHERE == set(catalogue("faults/ledger"))
    assert not codes & ELSEWHERE


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
@pytest.mark.parametrize("name", ["games.csv", "clubs.csv", "pool.toml"])
def test_a_pipe_in_place_of_a_file_is_refused_and_not_waited_for(ledger_folder, name):
    folder = ledger_folder("japan")
    (folder / name).unlink()
    os.mkfifo(folder / name)
    assert refused(folder)[0] == (
        f"{name}: This is a pipe or a device, not a file; put a plain file in its place."
    )


class TestBytes:
    """Files that are more or less than their text."""

    def test_cp932(self, ledger_folder):
        folder = ledger_folder("japan")
        rewrite(folder, "players.csv", "player_id,name,name_native\nA,ABE,\nB,BABA,馬場\n".encode("cp932"))
        assert refused(folder) == [f"players.csv:3: Byte 8 {NOT_UTF8}"]
        assert refused(folder, "ja") == [
            (
                "players.csv:3: この行の8バイト目がUTF-8ではありません（日本語版Excelの「CSV」はCP932で保存されます）。"
                "Excelでは「CSV UTF-8（コンマ区切り）」、エディターではUTF-8を選んで保存し直してください。"
            )
        ]

    @pytest.mark.parametrize("magic", [b"PK\3\4\x14\0\6\0\x82", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0"])
    def test_a_workbook_under_the_name_of_a_table(self, ledger_folder, magic):
        folder = ledger_folder("japan")
        rewrite(folder, "players.csv", magic)
        assert refused(folder) == [
            (
                "players.csv: This is a workbook (such as XLSX), whatever its name says; "
                "open it in a spreadsheet program and save it as CSV (UTF-8)."
            )
        ]

    def test_cp932_in_pool_toml(self, ledger_folder):
        folder = ledger_folder("hakodate")
        rewrite(folder, "pool.toml", "# 函館\n".encode() + 'name = "函館"\n'.encode("cp932"))
        assert refused(folder) == [f"pool.toml:2: Byte 9 {NOT_UTF8}"]

    def test_utf16(self, ledger_folder):
        folder = ledger_folder("japan")
        rewrite(folder, "clubs.csv", "club_id\n".encode("utf-16"))
        assert refused(folder) == [f"clubs.csv:1: Byte 1 {NOT_UTF8}"]

    @pytest.mark.parametrize("text", ["", "\ufeff", "\r\n\n"])
    def test_empty(self, ledger_folder, text):
        folder = ledger_folder("japan")
        rewrite(folder, "clubs.csv", text)
        assert refused(folder) == [
            f"clubs.csv: The file is empty; its first line must name its columns, out of: {COLUMNS['clubs']}."
        ]

    def test_header_below_a_blank_line(self, ledger_folder):
        folder = ledger_folder("hakodate")
        rewrite(folder, "players.csv", "\nplayer_id\nH1\nH2\n")
        assert refused(folder) == [
            "players.csv:2: name: The column is missing; add it to the header and fill it in on every row."
        ]

    def test_huge_cell(self, ledger_folder):
        folder = ledger_folder("japan")
        change(folder, "players.csv", "BABA Jiro", "x" * 200_000)
        assert refused(folder) == [
            (
                "players.csv:3: This row cannot be read as CSV (field larger than field limit (131072)); "
                "close every cell that opens with a double quote, and double a quote inside it."
            )
        ]

    def test_number_of_a_hundred_thousand_digits(self, ledger_folder):
        folder = ledger_folder("japan")
        change(folder, "games.csv", "E1,1,", f"E1,{'9' * 100_000},")
        assert refused(folder) == [
            (
                f"games.csv:2: round: '{'9' * 300}...' is not a whole number; "
                "write one from 1 to 999999 in the plain digits 0-9."
            )
        ]


class TestAllAtOnce:
    """Every fault of every file in one refusal, in the order of the files and their lines."""

    def test_in_several_files(self, ledger_folder):
        folder = ledger_folder("japan")
        change(folder, "games.csv", "E2,1,,A,B,+/-", "E2,1,,A,X,+-")
        change(folder, "games.csv", "E1,2,2024-06-02,C,A", "E1,1,2024-06-09,C,A")
        change(folder, "events.csv", "2024-06-10", "10.6.2024")
        change(folder, "players.csv", "1990-05-05", "5.5.1990")
        change(folder, "players.csv", "C,CHIBA Saburo", "B,CHIBA Saburo")
        change(folder, "standings.csv", "A,rapid,1790,12", "Z,rapid,1790,12.5")
        change(folder, "clubs.csv", "2025-12-31", "2023-12-31")
        change(folder, "pool.toml", "2024-10-01", "2024-10-01\nsettings.k = 1")
        assert refused(folder) == [
            "pool.toml: edition 2: settings.k: The book jcf-2024 has no settings; take this one out.",
            "players.csv:2: birth_date: '5.5.1990' is not a day; write it as 2025-03-31.",
            (
                "players.csv:4: player_id: 'B' has a row already, in line 3; keep one of the two, "
                "or give the old one the day it was struck and the new one the day it was added."
            ),
            "clubs.csv:2: valid_to: The last day, 2023-12-31, comes before the first, 2024-01-01; correct one of the two.",
            "events.csv:2: reported: '10.6.2024' is not a day; write it as 2025-03-31.",
            (
                "games.csv:3: white: No player has the id 'C'; "
                "correct the id, or add the player to the table players."
            ),
            "games.csv:3: black: 'A' has another game in round 1, in line 2; correct the player or the round.",
            (
                "games.csv:4: result: '+-' cannot stand here; "
                "write one of: 1-0, 1/2-1/2, 0-1, +/-, -/+, -/-, u1-0, u1/2-1/2, u0-1."
            ),
            (
                "standings.csv:3: games: '12.5' is not a whole number; "
                "write one from 0 to 999999999 in the plain digits 0-9."
            ),
        ]

    def test_several_in_one_row(self, ledger_folder):
        folder = ledger_folder("hakodate")
        change(folder, "events.csv", "2024-05-01,2024-05-02,2024-05-02", "1 May,2 May,")
        assert [line.split(": ")[:2] for line in refused(folder)] == [
            ["events.csv:2", "starts"],
            ["events.csv:2", "ends"],
        ]

    @pytest.mark.parametrize(
        "broken",
        [
            {"players.csv": b"\xff"},
            {"players.csv": b"player_id,nom\nA,ABE\n"},
            {"players.csv": b'player_id,name\n"A'},
            {"events.csv": b"\xff"},
        ],
        ids=["not UTF-8", "header", "quote", "events"],
    )
    def test_a_file_that_cannot_be_read_makes_no_id_unknown(self, ledger_folder, broken):
        folder = ledger_folder("japan")
        for file, data in broken.items():
            (folder / file).write_bytes(data)
        assert {line.split(":")[0] for line in refused(folder)} == set(broken)

    def test_a_hundred_and_no_more(self, ledger_folder):
        folder = ledger_folder("hakodate")
        rows = "".join(f"May,{number},H1,H2,2-0\n" for number in range(1, 151))
        rewrite(folder, "games.csv", f"event_id,round,white,black,result\n{rows}")
        lines = refused(folder)
        assert len(lines) == 100
        assert lines[99].startswith("games.csv:101: result: '2-0' cannot stand here")

    def test_a_hundred_between_rows(self, ledger_folder):
        folder = ledger_folder("hakodate")
        rows = "".join(f"May,{number},H1,H3,1-0\n" for number in range(1, 151))
        rewrite(folder, "games.csv", f"event_id,round,white,black,result\n{rows}")
        lines = refused(folder)
        assert len(lines) == 100
        assert lines[99].startswith("games.csv:101: black: No player has the id 'H3'")


class TestFiles:
    """Files that are not there, are there twice, or are no files."""

    def test_no_folder(self, tmp_path):
        folder = tmp_path / "nowhere"
        assert refused(folder) == [
            (
                f"{folder}: There is no folder here that can be opened; "
                "give the path of a ledger, a folder with pool.toml and its tables."
            )
        ]

    @pytest.mark.parametrize("name", ["pool.toml", "n" * 300, "a\0b", "\udcff"])
    def test_what_is_no_folder(self, ledger_folder, name):
        (line,) = refused(ledger_folder("japan") / name)
        assert "There is no folder here" in line
        assert line.isprintable()

    def test_pool_missing(self, ledger_folder):
        folder = ledger_folder("japan")
        (folder / "pool.toml").unlink()
        assert refused(folder) == [
            (
                "pool.toml: The file is missing; "
                "give it the pool's name and an [[edition]] with rulebook and from for each rule book."
            )
        ]

    def test_a_table_missing(self, ledger_folder):
        folder = ledger_folder("hakodate")
        (folder / "players.csv").unlink()
        assert refused(folder) == [
            f"players.csv: The file is missing; add it to the ledger's folder, with columns out of: {COLUMNS['players']}."
        ]

    @pytest.mark.parametrize("other", ["players.xlsx", "Players.csv", "players.csv.txt"])
    def test_a_table_of_another_kind(self, ledger_folder, other):
        folder = ledger_folder("hakodate")
        (folder / "players.csv").rename(folder / other)
        (line,) = refused(folder)
        assert line == (
            f"players.csv: The file is missing; {other} is not read. Save the table as players.csv: in a "
            "spreadsheet program as 'CSV UTF-8', with its columns in the first row, out of: "
            f"{COLUMNS['players']}."
        )

    def test_two_files_of_one_table(self, ledger_folder):
        folder = ledger_folder("hakodate")
        (folder / "players.parquet").write_bytes(b"")
        assert refused(folder) == [
            "players.parquet: The same table is there as players.csv too; keep one of the two files."
        ]

    @pytest.mark.parametrize(
        ("make", "reason"),
        [
            (lambda path: path.mkdir(), "Is a directory"),
            (lambda path: path.symlink_to(path.name), "Too many levels of symbolic links"),
            (lambda path: path.symlink_to("nowhere"), "No such file or directory"),
        ],
        ids=["folder", "link to itself", "link to nowhere"],
    )
    @pytest.mark.parametrize("file", ["standings.csv", "games.csv", "pool.toml"])
    def test_no_plain_file(self, ledger_folder, file, make, reason):
        """An optional table too is not passed over when something of its name is there."""
        folder = ledger_folder("hakodate")
        (folder / file).unlink()
        make(folder / file)
        assert refused(folder) == [
            f"{file}: The file cannot be opened ({reason}); make it a plain file that you are allowed to read."
        ]

    def test_no_permission(self, ledger_folder, monkeypatch):
        """Said by a stand-in for the system, for root may read every file."""
        folder = ledger_folder("hakodate")
        opened = Path.open

        def stand_in(path, *args, **options):
            if path.name == "games.csv":
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
            return opened(path, *args, **options)

        monkeypatch.setattr(Path, "open", stand_in)
        assert refused(folder) == [
            (
                "games.csv: The file cannot be opened (Permission denied); "
                "make it a plain file that you are allowed to read."
            )
        ]


def test_an_unknown_column_hides_no_other_fault_of_its_table(ledger_folder):
    folder = ledger_folder("japan")
    change(folder, "events.csv", "event_id,name", "event_id,zzz")
    text = (folder / "events.csv").read_text("utf-8").replace("event_id,zzz", "zzz,event_id,name")
    lines = text.splitlines()
    rows = [lines[0], *(f"1,{line}" for line in lines[1:])]
    rows[1] = rows[1].replace("2024-06-10", "2024-05-10")
    (folder / "events.csv").write_text("\n".join(rows) + "\n", "utf-8")
    first, second = refused(folder)
    assert first.startswith("events.csv:1: zzz: 'zzz' is not a column of this table;")
    assert second.startswith("events.csv:2: reported: ")


def test_tables_separated_by_tabs(ledger_folder):
    folder = ledger_folder("hakodate")
    text = (folder / "games.csv").read_text("utf-8").replace(",", "\t")
    (folder / "games.csv").write_text(text, "utf-8")
    (line,) = refused(folder)
    assert line.startswith("games.csv:1: The columns are separated by 'Tab' instead of commas; ")


def test_thousands_of_blank_rows_hide_no_other_fault(ledger_folder):
    folder = ledger_folder("hakodate")
    header, *rows = (folder / "players.csv").read_text("utf-8").splitlines()
    lines = [
        header,
        *rows,
        *["," * header.count(",")] * 2000,
        ",a name alone" + "," * (header.count(",") - 1),
    ]
    (folder / "players.csv").write_text("\n".join(lines), "utf-8")
    assert [line.partition(": ")[2] for line in refused(folder)] == [
        "There is nothing in this row; delete it. Such rows in this table: 2000.",
        "player_id: The cell is blank; fill it in, for the column is required.",
    ]


def test_what_spreadsheets_leave_at_the_ends_of_a_table_is_passed_over(ledger_folder):
    folder, plain = ledger_folder("japan"), ledger_folder("japan", "plain")
    for name in ("players.csv", "clubs.csv", "games.csv", "events.csv"):
        lines = (folder / name).read_text("utf-8").splitlines()
        blank = "," * (lines[0].count(",") + 2)
        (folder / name).write_text("\n".join([f"{line}, ," for line in lines] + [blank, "", blank]), "utf-8")
    assert read_ledger(folder) == read_ledger(plain)


def test_every_column_that_is_spelled_otherwise_is_one_fault(ledger_folder):
    folder = ledger_folder("japan")
    change(folder, "games.csv", "event_id,round,played,white", "Event ID,ROUND,Played,Ｗｈｉｔｅ")
    change(folder, "games.csv", "A,B,1-0", "A,B,2-0")
    *columns, result = refused(folder)
    assert [line.partition(": ")[2].partition(";")[0] for line in columns] == [
        "Event ID: 'Event ID' should be called 'event_id'",
        "ROUND: 'ROUND' should be called 'round'",
        "Played: 'Played' should be called 'played'",
        "Ｗｈｉｔｅ: 'Ｗｈｉｔｅ' should be called 'white'",
    ]
    assert result.startswith("games.csv:2: result: '2-0' cannot stand here")


def test_a_column_beside_its_like_is_none_of_the_table(ledger_folder):
    folder = ledger_folder("hakodate")
    text = (folder / "players.csv").read_text("utf-8").replace("\n", ",\n").replace("name,", "name,NAME")
    rewrite(folder, "players.csv", text)
    (line,) = refused(folder)
    assert line.startswith("players.csv:1: NAME: 'NAME' is not a column of this table")
