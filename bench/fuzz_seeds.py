"""The readers that `fuzz.py` feeds, each with the files it begins from: real ones, and our own."""

from __future__ import annotations

import io
import resource
import time
import traceback
import zipfile
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from banzuke.core.fault import RefusedError
from banzuke.exchange.event_export import event_table, rated_event
from banzuke.exchange.export_headings import event_wording, list_wording
from banzuke.formats import member_register
from banzuke.formats.events import event_html, event_xlsx
from banzuke.formats.fide import fide_text, fide_xml
from banzuke.formats.files import mail
from banzuke.formats.format_detection import FORMATS, recognise
from banzuke.formats.lists import list_table, list_xlsx
from banzuke.formats.lists.rating_list import ListedPlayer, RatingList, SpeedRating
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.report_form import form_writer
from banzuke.formats.sgf import sgf_table
from banzuke.formats.trf import trf_writer
from banzuke.ledger.folder import read_ledger
from banzuke.office import table_files
from banzuke.office.inbox import report_contents
from banzuke.office.register import starting_rating_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from banzuke.core.fault import Fault

DAY = date(2025, 2, 1)
EVENT = ReportedEvent(
    "春季大会", "東京", "JPN", responsible="Sato", speed="standard", base_minutes=60, increment_seconds=30,
    starts=DAY, ends=DAY, reported=DAY, rounds=2,
)  # fmt: skip
PLAYERS = tuple(
    ReportedPlayer(n, f"Name{n} Given", f"700000{n}", f"N{n}", 1500 + n, "JPN", "m", None, n, f"氏名{n}")
    for n in range(1, 5)
)
GAMES = (
    ReportedGame(1, 1, 2, "1-0", DAY),
    ReportedGame(1, 3, 4, "+/-", DAY),
    ReportedGame(2, 2, 3, "1/2-1/2", DAY),
    ReportedGame(2, 4, 1, "u0-1", DAY),
)
REPORT = Report(EVENT, PLAYERS, GAMES)
PGN = """[Event "Open"]
[Site "Tokyo"]
[Date "2025.02.0{round}"]
[Round "{round}.1"]
[White "A, B"]
[Black "C, D"]
[Result "1-0"]
[WhiteFideId "7000001"]
[TimeControl "5400+30"]

1. e4 {{c}} e5 (1... c5) 2. Nf3 1-0

"""
XML = b"""<?xml version="1.0" encoding="UTF-8"?><chessresults>
<tournamentdata><tournament name="Open" rounds="2" from="20250201" to="20250202"/></tournamentdata>
<players><player no="1" id="5" lastname="A" rtgnat="1500" fed="JPN"/>
<player no="2" id="6" lastname="B"/></players><playerpairings>
<playerpairing round="1" board="1" whiteno="1" blackno="2" reswhite="0,5" resblack="0,5" forfeit=""/>
<playerpairing round="2" board="1" whiteno="2" blackno="1" reswhite="1" resblack="0" forfeit="K"/>
</playerpairings></chessresults>"""
MAIL = b"""From: =?utf-8?b?5L2Q6Jek?= <a@example.org>
Date: Sat, 01 Feb 2025 12:00:00 +0900
Subject: report
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain

https://chess-results.com/tnr1452107.aspx?lan=1
--b
Content-Type: application/octet-stream; name="a.trf"
Content-Disposition: attachment; filename="a.trf"
Content-Transfer-Encoding: base64

MDEyIEN1cAo=
--b--
""".replace(b"\n", b"\r\n")
FIDE_XML = b"""<playerslist><player><fideid>1</fideid><name>A</name><country>JPN</country><sex>M</sex>
<title></title><rating>1500</rating><games>3</games><k>20</k><birthday>1990</birthday><flag></flag></player></playerslist>"""
SGF_TABLE = b"""file,ended,room,pair,robot,fault,black,white,moves
a.sgf,2025-02-01T10:00+09:00,rated,0,,,b,w,200
"""
REGISTER = """会員番号,氏名,生年月日,性別,所属,有効期限
N1,"Sato, Keiko",1990-05-31,女,桧,2026-03-31
N2,Abe Jun,1988/1/2,m,,
"""
STARTING = """player_id,speed,rating,games,peak
N1,standard,1500,30,1520
N2,rapid,1612,4,
"""
GAME_LIST = """Round,White,Black,Result,Date
1,SATO Hana,SUZUKI Ren,1-0,2025-02-01
1,ITO Sora,TANAKA Yui,1/2,2025-02-01
2,Suzuki  Ren,ITO Sora,0,
"""
#: A finished event, laid out as Chess-Results lays out its exports.
EXPORT = """Spring Meeting,,,,,,,,
Final Ranking crosstable after 2 Rounds,,,,,,,,
Rk.,,Name,Rtg,FED,1.Rd,2.Rd,Pts.,TB1
1,,Sato Hana,1612,JPN,3w1,2b½,1.5,2.5
2,WFM,Abe Jun,1587,JPN,4b½,1w½,1,2.5
3,,Ito Sora,1533,JPN,1b0,4w1,1,2
4,,Mori Yui,0,JPN,2w½,3b0,0.5,2
"""
#: Files up to here are put into a zip, in bytes.
SMALL_FILE = 20_000
COLUMNS = {
    "id": "会員番号",
    "name_native": "氏名",
    "birth_date": "生年月日",
    "sex": "性別",
    "valid_to": "有効期限",
}
RATING_LIST = RatingList(
    "Bench",
    "2025-03",
    "jcf-2024",
    ("standard", "rapid"),
    (ListedPlayer("N1", (SpeedRating(1500, 30, -3, 1520, "rated", None), None), "Sato Keiko", "佐藤 恵子"),),
)


#: What became of an input: `clean`, `faulty`, or `errors` with the error's text; and the processor's seconds.
Outcome = tuple[str, str, float]


def feed(name: str, inputs: list[bytes]) -> tuple[list[Outcome], int]:
    """What becomes of the inputs in that reader, and the most memory in MiB."""
    read, outcomes = READERS[name], []
    for data in inputs:
        began, why = time.process_time(), ""
        try:
            kind = "faulty" if read(data) else "clean"
        except RefusedError:
            kind = "faulty"
        except BaseException:  # noqa: BLE001  # a panic of a compiled part is none of Exception's
            kind, why = "errors", traceback.format_exc()
        outcomes.append((kind, why, time.process_time() - began))
    return outcomes, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def seeds(data: Path) -> dict[str, list[bytes]]:
    """The files that each reader begins from, real ones from the folder `data`; none without one."""

    def real(pattern: str) -> list[bytes]:
        return [path.read_bytes() for path in sorted(data.glob(pattern))]

    reports = {
        "trf": [*real("trf/*.trf"), trf_writer.write(REPORT, version=26)],
        "chess-results": real("chessresults/*.html"),
        "chess-results-export": [
            *real("chessresults/*.csv"),
            EXPORT.encode(),
            _table_workbook(EXPORT),
        ],
        "upload-xml": [XML],
        "swiss-manager": real("swissmanager/*.T?[MNRT]X"),
        "report-form": [form_writer.write_form(REPORT, players=6, games=8)],
        "event-table": _exported_event(),
        "game-list": [GAME_LIST.encode(), _table_workbook(GAME_LIST)],
        "game-table": real("jcf/jcf_games*"),
        "pgn": ["".join(PGN.format(round=number) for number in (1, 2, 3)).encode()],
        "sgf": real("go/*.sgf"),
    }
    every = [seed for found in reports.values() for seed in found]
    lists = [list_table.write_csv(RATING_LIST), list_table.write_json(RATING_LIST)]
    found = reports | {
        "report": [*every, MAIL, _zipped(every), REGISTER.encode("cp932")],
        "recognise": every,
        "sgf-table": [SGF_TABLE],
        "mail": [MAIL],
        "fide-txt": real("fide/fide_txt*"),
        "fide-xml": [FIDE_XML],
        "register": [REGISTER.encode("cp932")],
        "starting-ratings": [STARTING.encode(), _table_workbook(STARTING)],
        "list": lists,
        "list-xlsx": [list_xlsx.write(RATING_LIST, list_wording(RATING_LIST, "ja"))],
    }
    return {name: files for name, files in found.items() if files}


def _zipped(files: list[bytes]) -> bytes:
    """The smaller of the files, in a zip."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as packed:
        for number, data in enumerate(data for data in files if len(data) < SMALL_FILE):
            packed.writestr(f"{number}.x", data)
    return made.getvalue()


def _exported_event() -> list[bytes]:
    """The crosstable of an event of the example ledger, as it is exported."""
    ledger = read_ledger(Path(__file__).parents[1] / "examples" / "japan")
    table = event_table(ledger, rated_event(ledger, ledger.events[0].event_id))
    wording = event_wording(table, "en")
    return [event_html.write(table, wording), event_xlsx.write(table, wording)]


def _table_workbook(text: str) -> bytes:
    rows = [row.split(",") for row in text.splitlines()]
    return table_files.write(table_files.Table("t", tuple(rows[0]), rows[1:]), table_files.XLSX)


def _of_reports(name: str) -> Callable[[bytes], object]:
    """The faults of a format's reports."""
    read = FORMATS[name].read
    assert read is not None

    def faults_of(file: bytes) -> object:
        found = read(file, "x")
        reports = found if isinstance(found, list) else [found]
        return [fault for report in reports for fault in report.faults]

    return faults_of


def _faults_of_contents(file: bytes) -> object:
    """The faults of a file as the inbox reads it, whatever it is."""
    found = report_contents.read((("x", file),))
    reports = [fault for _, report in found.incoming.reports for fault in report.faults]
    go = found.incoming.go.faults if found.incoming.go else ()
    return [*found.faults, *found.incoming.faults, *reports, *go]


def _noted(read: Callable[..., object], name: str) -> Callable[[bytes], object]:
    """The faults that a reader notes in a list."""

    def faults_of(file: bytes) -> object:
        faults: list[Fault] = []
        read(file, name, faults)
        return faults

    return faults_of


def _all_of(read: Callable[[BinaryIO, str, list[Fault]], Iterable[object]]) -> Callable[..., None]:
    """A streaming reader, read to the end."""

    def read_all(file: bytes, name: str, faults: list[Fault]) -> None:
        for _ in read(io.BytesIO(file), name, faults):
            pass

    return read_all


def _register(file: bytes) -> object:
    """Its headings looked for, and the members read by them."""
    columns = member_register.propose(member_register.read_headings(file, "x"))
    return [*member_register.read(file, "x", columns)[1], *member_register.read(file, "x", COLUMNS)[1]]


#: Every reader by its name: what it found wrong with a file (empty: nothing).
READERS: dict[str, Callable[[bytes], object]] = {
    **{name: _of_reports(name) for name, form in FORMATS.items() if form.read is not None},
    "report": _faults_of_contents,
    "recognise": lambda file: not recognise(file),
    "sgf-table": lambda file: sgf_table.read_table(file, "x").faults,
    "mail": lambda file: mail.read(file, "x").faults,
    "fide-txt": _noted(_all_of(fide_text.read_txt), "standard_jan23frl.txt"),
    "fide-xml": _noted(_all_of(fide_xml.read_xml), "standard_jan23frl.xml"),
    "register": _register,
    "starting-ratings": lambda file: not starting_rating_table.read(file, "x", is_go=False).records,
    "list": lambda file: list_table.read(file, "x")[1],
    "list-xlsx": lambda file: list_xlsx.read(file, "x")[1],
}
