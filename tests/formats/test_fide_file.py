"""A list in whatever it comes: recognised by its content, unpacked within bounds."""

from __future__ import annotations

import io
import random
import zipfile
from typing import TYPE_CHECKING

import pytest

from banzuke.formats.fide.fide_file import read_players
from banzuke.formats.fide.fide_player import FidePlayer
from banzuke.formats.fide.fide_text import write_txt
from banzuke.formats.fide.fide_xml import write_xml
from banzuke.words import LANGUAGES, fault_line

if TYPE_CHECKING:
    from banzuke.core.fault import Fault

PLAYERS = [FidePlayer(str(n), f"Abe, Ichiro {n}", "JPN", "M", standard=1500 + n) for n in range(1, 200)]
TXT = b"".join(write_txt(PLAYERS, ""))
XML = b"".join(write_xml(PLAYERS, ""))
SINGLE = TXT.splitlines()[0].partition(b"SRtng")[0] + b"JAN23 Gms K  B-day Flag\r\n" + TXT.splitlines()[1]


def zipped(*members: tuple[str, bytes], kind=zipfile.ZIP_DEFLATED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as packed:
        for name, data in members:
            packed.writestr(name, data)
    return stream.getvalue()


def read(data: bytes, file="list", speed=None) -> tuple[list[FidePlayer], list[Fault]]:
    faults: list[Fault] = []
    players = list(read_players(io.BytesIO(data), file, faults, speed))
    assert all(fault_line(fault, lang) for fault in faults for lang in LANGUAGES)
    return players, faults


def codes(data: bytes) -> list[tuple[str, int, str, str]]:
    return [(f.file, f.line, f.column, f.code) for f in read(data)[1]]


class TestRead:
    @pytest.mark.parametrize("data", [TXT, XML])
    def test_bare_and_zipped(self, data):
        assert read(data) == (PLAYERS, [])
        assert read(zipped(("players_list.any", data))) == (PLAYERS, [])
        assert read(zipped(("folder/", b""), ("folder/list", data), kind=zipfile.ZIP_STORED)) == (PLAYERS, [])

    @pytest.mark.parametrize(
        ("member", "file", "speed", "found"),
        [
            ("rapid_jan23frl.txt", "list.zip", None, "rapid"),
            ("list.txt", "blitz_jan23frl.zip", None, "blitz"),
            ("rapid_jan23frl.txt", "blitz_jan23frl.zip", None, "rapid"),
            ("rapid_jan23frl.txt", "list.zip", "standard", "standard"),
        ],
    )
    def test_the_packed_files_name_says_the_speed_before_the_zips(self, member, file, speed, found):
        [player], faults = read(zipped((member, SINGLE)), file, speed)
        assert faults == []
        assert {s: getattr(player, s) for s in ("standard", "rapid", "blitz")} == dict.fromkeys(
            ("standard", "rapid", "blitz")
        ) | {found: 1501}

    def test_faults_of_a_packed_list_are_at_its_lines(self):
        data = zipped(("a.txt", TXT + b"x\r\n"))
        assert codes(data) == [("list", 201, "1", "fide-bad-id")]

    @pytest.mark.parametrize("data", [b"", b"hello", b"<html></html>", b"ID,Name", b"\x00" * 5000])
    def test_what_is_no_list(self, data):
        assert codes(data) == [("list", 0, "", "fide-no-list")]


class TestZips:
    def test_that_hold_none_or_several(self):
        assert codes(zipped(("a.txt", TXT), ("b.txt", TXT))) == [("list", 0, "", "fide-zip-members")]
        assert codes(zipped(("a/", b""))) == [("list", 0, "", "fide-zip-members")]

    def test_that_are_cut_off_or_packed_otherwise(self):
        sound = zipped(("a.txt", TXT))
        assert codes(sound[:-30]) == [("list", 0, "", "fide-zip-broken")]
        assert codes(b"PK\x03\x04") == [("list", 0, "", "fide-zip-broken")]
        assert codes(zipped(("a.txt", TXT), kind=zipfile.ZIP_BZIP2)) == [("list", 0, "", "fide-zip-broken")]

    def test_whose_file_has_no_name(self):
        nameless = bytearray(zipped(("a", TXT)))
        lengths = nameless.rindex(b"PK\x01\x02") + 28  # of the name, and of what follows it
        nameless[lengths], nameless[lengths + 2] = 0, 1
        assert codes(bytes(nameless)) == [("list", 0, "", "fide-zip-broken")]

    def test_that_are_locked(self):
        locked = bytearray(zipped(("a.txt", TXT)))
        locked[6] |= 1
        locked[locked.rindex(b"PK\x01\x02") + 8] |= 1
        assert codes(bytes(locked)) == [("list", 0, "", "fide-zip-broken")]

    def test_whose_content_is_damaged(self):
        damaged = bytearray(zipped(("a.txt", TXT)))
        middle = len(damaged) // 2
        damaged[middle : middle + 40] = b"\xff" * 40
        assert ("list", 0, "", "fide-zip-broken") in codes(bytes(damaged))

    def test_bombs_by_ratio(self):
        players, faults = read(zipped(("a.txt", TXT + b"\n" * (40 << 20))))
        assert [fault.code for fault in faults] == ["fide-zip-too-large"]
        assert players == PLAYERS

    def test_bombs_by_size(self, monkeypatch):
        monkeypatch.setattr("banzuke.formats.fide.fide_file.MOST_UNPACKED", len(TXT) - 1)
        assert codes(zipped(("a.txt", TXT))) == [("list", 0, "", "fide-zip-too-large")]
        monkeypatch.setattr("banzuke.formats.fide.fide_file.MOST_UNPACKED", len(TXT))
        assert read(zipped(("a.txt", TXT))) == (PLAYERS, [])

    def test_a_size_that_the_zip_claims_is_not_believed(self):
        claimed = bytearray(zipped(("a.txt", TXT + b"\n" * (40 << 20))))
        at = claimed.rindex(b"PK\x01\x02") + 24
        claimed[at : at + 4] = (1000).to_bytes(4, "little")
        assert {code for *_, code in codes(bytes(claimed))} <= {
            "fide-zip-too-large",
            "fide-zip-broken",
            "fide-bad-text",
        }
        assert codes(bytes(claimed))

    def test_mutated_ones_raise_nothing(self):
        rng = random.Random(11)
        sound = zipped(("a.txt", TXT))
        for _ in range(1500):
            data = bytearray(sound)
            for _ in range(rng.randint(1, 5)):
                data[rng.randrange(len(data))] = rng.randrange(256)
            players, faults = read(bytes(data))
            assert faults or len(players) == len(PLAYERS)
