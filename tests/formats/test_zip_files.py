"""Zips of files: what is in them, the names in them, and what is not opened."""

from __future__ import annotations

import io
import zipfile

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from banzuke.formats.files import zip_files
from banzuke.words import LANGUAGES, fault_text


def zipped(*files, kind=zipfile.ZIP_DEFLATED):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", kind) as made:
        for name, data in files:
            made.writestr(name, data)
    return stream.getvalue()


def named(raw, data=b"x"):
    """A zip whose one name has these bytes, not marked as UTF-8."""
    whole = zipped(("N" * len(raw), data))
    return whole.replace(b"N" * len(raw), raw)


def codes(data):
    found = zip_files.read(data, "g.zip")
    for one in found.faults:
        for lang in LANGUAGES:
            assert "{" not in fault_text(one, lang)
    return [one.code for one in found.faults]


class TestFiles:
    def test_in_order_with_their_folders_and_without_what_programs_put_beside(self):
        beside = ("__MACOSX/._a.sgf", ".DS_Store", "b/Thumbs.db", "b/")
        data = zipped(("b/2.sgf", b"two"), *((name, b"") for name in beside), ("1.sgf", b"one"))
        assert zip_files.looks_like(data)
        assert zip_files.read(data, "g.zip") == ([("b/2.sgf", b"two"), ("1.sgf", b"one")], [])

    @pytest.mark.parametrize(
        ("raw", "name"),
        [
            ("対局表/ソ.sgf".encode("cp932"), "対局表/ソ.sgf"),
            ("対局.sgf".encode(), "対局.sgf"),
            (b"day\\game.sgf", "day/game.sgf"),
            ("が.sgf".encode(), "が.sgf"),
        ],
    )
    def test_names(self, raw, name):
        assert [found for found, _ in zip_files.read(named(raw), "g.zip").files] == [name]

    def test_marked_as_utf_8(self):
        assert [n for n, _ in zip_files.read(zipped(("五郎.sgf", b"")), "g.zip").files] == ["五郎.sgf"]

    def test_a_workbook_is_none(self):
        stream = io.BytesIO()
        xlsxwriter.Workbook(stream).close()
        assert not zip_files.looks_like(stream.getvalue())
        assert not zip_files.looks_like(b"(;GM[1])")


class TestRefused:
    def test_more_than_it_may_unpack_to(self):
        data = zipped(("a.sgf", bytes(60 << 20)), ("b.sgf", bytes(60 << 20)))
        assert codes(data) == ["packed-unpacks"]
        assert zip_files.read(data, "g.zip").files == []

    def test_more_than_it_says(self):
        data = bytearray(zipped(("a.sgf", bytes(101 << 20))))
        at = data.index(b"PK\x01\x02")
        data[at + 24 : at + 28] = (5).to_bytes(4, "little")
        assert codes(bytes(data)) in (["packed-unpacks"], ["packed-broken"])

    def test_too_many(self):
        data = zipped(*((f"{n}.sgf", b"") for n in range(zip_files.MOST_FILES + 1)))
        assert zip_files.looks_like(data)
        assert codes(data) == ["packed-many"]

    def test_a_zip_in_a_zip(self):
        assert codes(zipped(("a.sgf", b"x"), ("b.zip", zipped(("c.sgf", b"x"))))) == ["packed-nested"]

    @pytest.mark.parametrize("name", ["../a.sgf", "/etc/a.sgf", "a/../../b.sgf", "C:\\a.sgf", "n" * 201])
    def test_names_that_lead_elsewhere(self, name):
        assert codes(zipped((name, b"x"))) == ["packed-name"]

    def test_a_name_twice(self):
        with pytest.warns(UserWarning, match="Duplicate"):
            data = zipped(("a.sgf", b"x"), ("a.sgf", b"y"))
        assert codes(data) == ["packed-twice"]

    def test_locked(self):
        data = bytearray(zipped(("a.sgf", b"x")))
        for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            data[data.index(mark) + place] |= 1
        assert codes(bytes(data)) == ["packed-locked"]

    def test_empty_and_broken(self):
        assert codes(zipped()) == ["packed-empty"]
        assert codes(zipped(("a.sgf", b"x" * 99))[:60]) == ["packed-broken"]

    @given(st.binary(max_size=200), st.integers(0, 300), st.binary(min_size=1, max_size=4))
    def test_whatever_it_is_nothing_is_raised(self, data, place, put):
        whole = bytearray(zipped(("a/1.sgf", data), ("2.sgf", b"(;GM[1])")))
        whole[place : place + len(put)] = put
        if zip_files.looks_like(bytes(whole)):
            zip_files.read(bytes(whole), "g.zip")
