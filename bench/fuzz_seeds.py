"""The readers that `fuzz.py` feeds, each with the files it begins from: real ones, and our own."""

from __future__ import annotations

import io
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

from banzuke.formats import (
    chess_results,
    chess_results_sheet,
    fide_list,
    fide_xml,
    game_table,
    mail,
    pgn,
    report_form_reader,
    report_form_writer,
    sgf,
    sgf_table,
    swiss_manager,
    swiss_manager_list,
    trf,
    trf_writer,
    upload_xml,
)
from banzuke.formats.recognise import FORMATS, recognise
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

DAY = date(2025, 2, 1)
EVENT = ReportedEvent(
    "春季大会", "東京", "JPN", responsible="Sato", speed="standard", base_minutes=60, increment_seconds=30,
    starts=DAY, ends=DAY, reported=DAY, rounds=2,
)  # fmt: skip
PLAYERS = tuple(
    ReportedPlayer(n, f"Name{n} Given", str(7000000 + n), f"N0000000{n}", 1500 + n, "JPN", "m", None, n, f"氏名{n}")
    for n in range(1, 5)
)
GAMES = (
    ReportedGame(1, 1, 2, "1-0", DAY),
    ReportedGame(1, 3, 4, "+/-", DAY),
    ReportedGame(2, 2, 3, "1/2-1/2", DAY),
    ReportedGame(2, 4, 1, "u0-1", DAY),
)
REPORT = Report(EVENT, PLAYERS, GAMES)
PGN = b'[Event "Open"]\n[Site "Tokyo"]\n[Date "2025.02.01"]\n[Round "1.1"]\n[White "A, B"]\n[Black "C, D"]\n' \
    b'[Result "1-0"]\n[WhiteFideId "7000001"]\n[TimeControl "5400+30"]\n\n1. e4 {c} e5 (1... c5) 2. Nf3 1-0\n\n'  # fmt: skip
XML = """<?xml version="1.0" encoding="UTF-8"?><tournament><player no="1" id="5" lastname="A" rtgnat="1500" fed="JPN"/>
<player no="2" id="6" lastname="B"/><pairing round="1" board="1" whiteno="1" blackno="2" reswhite="0,5" resblack="0,5"
forfeit=""/><pairing round="2" whiteno="2" blackno="1" reswhite="1" resblack="0" forfeit="K"/></tournament>""".encode()
MAIL = """From: =?utf-8?b?5L2Q6Jek?= <a@example.org>\r\nDate: Sat, 01 Feb 2025 12:00:00 +0900\r\nSubject: report\r
MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="b"\r\n\r\n--b\r\nContent-Type: text/plain\r\n\r
https://chess-results.com/tnr1452107.aspx?lan=1\r\n--b\r\nContent-Type: application/octet-stream; name="a.trf"\r
Content-Disposition: attachment; filename="a.trf"\r\nContent-Transfer-Encoding: base64\r\n\r\nMDEyIEN1cAo=\r\n--b--\r
""".encode()
FIDE_XML = b"<playerslist><player><fideid>1</fideid><name>A</name><country>JPN</country><sex>M</sex><title></title>" \
    b"<rating>1500</rating><games>3</games><k>20</k><birthday>1990</birthday><flag></flag></player></playerslist>"  # fmt: skip
SGF_TABLE = b"file,ended,room,pair,robot,fault,black,white,moves\na.sgf,2025-02-01T10:00+09:00,rated,0,,,b,w,200\n"
REGISTER = "ID_No;Name;Sex;Fed;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int\n5;A, B;f;JPN;1;Club;1990;1500;7;0\n"


class Fed(NamedTuple):
    """A reader: `faults_of` gives what it found wrong (empty: nothing), `seeds` are files to damage."""

    faults_of: Callable[[bytes], object]
    seeds: list[bytes]


def readers(data: Path) -> dict[str, Fed]:
    """Every reader by its name, with its seeds, real ones from the folder `data`."""

    def real(pattern: str) -> list[bytes]:
        return [path.read_bytes() for path in sorted(data.glob(pattern))]

    form = report_form_writer.write_form
    seeds: dict[str, list[bytes]] = {
        "trf": [*real("trf/*.trf"), trf_writer.write(REPORT, version=26)],
        "chess-results": real("chessresults/*.html"),
        "chess-results-export": real("chessresults/*.csv"),
        "upload-xml": [XML],
        "swiss-manager": real("swissmanager/*.T?MX") + real("swissmanager/*.T?NX") + real("swissmanager/*.T?RX"),
        "report-form": [form(REPORT, players=6, games=8)],
        "game-table": real("jcf/jcf_games*"),
        "pgn": [PGN * 3],
        "sgf": real("go/*.sgf"),
    }
    fed = {name: Fed(_reports(name), found) for name, found in seeds.items() if found}
    return fed | {
        "recognise": Fed(recognise, [seed for found in seeds.values() for seed in found]),
        "sgf-table": Fed(lambda file: sgf_table.read_table(file, "x")[1], [SGF_TABLE]),
        "mail": Fed(lambda file: mail.read(file, "x").faults, [MAIL]),
        "fide-txt": Fed(_streamed(fide_list.read_txt), real("fide/fide_txt*")),
        "fide-xml": Fed(_streamed(fide_xml.read_xml), [FIDE_XML]),
        "national-list": Fed(lambda file: swiss_manager_list.read(file, "x")[1], [REGISTER.encode()]),
    }


def _reports(name: str) -> Callable[[bytes], object]:
    read = FORMATS[name].read
    assert read is not None

    def faults_of(file: bytes) -> object:
        found = read(file, "x")
        return [fault for report in (found if isinstance(found, list) else [found]) for fault in report.faults]

    return faults_of


def _streamed(read: Callable[..., object]) -> Callable[[bytes], object]:
    def faults_of(file: bytes) -> object:
        faults: list[object] = []
        for _ in read(io.BytesIO(file), "standard_jan23frl.txt", faults):  # type: ignore[attr-defined]
            pass
        return faults

    return faults_of
