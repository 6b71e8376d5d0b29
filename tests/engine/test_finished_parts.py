"""Finished parts: what decides whether one is used again."""

from __future__ import annotations

import io
import sys
import zipfile
from importlib.metadata import EntryPoint

import numpy as np
import pytest
from sample_books import JCF_2026

from banzuke.core.registry import BOOKS, GROUP
from banzuke.engine import finished_parts
from banzuke.engine.finished_parts import digest_of_books, load_part, store_part

CODE = "banzuke.lab.answers"
PART = {"figures": np.array([1.0, np.nan])}


@pytest.fixture
def book_folder(tmp_path, monkeypatch):
    """The package of a book that somebody installed; its files may be changed."""
    package = tmp_path / "site" / "somebodys_book"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("K = 20\n")
    (package / "somebodys_book.parameters.toml").write_text("[k]\nvalue = 20\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    monkeypatch.delitem(sys.modules, "somebodys_book", raising=False)
    point = EntryPoint("somebodys", "somebodys_book:BOOK", GROUP)
    monkeypatch.setattr(BOOKS, "_found", BOOKS._found | {"somebodys": (JCF_2026, point)})
    digest_of_books.cache_clear()
    yield package
    digest_of_books.cache_clear()


def test_a_part_is_read_as_it_was_kept(tmp_path):
    store_part(tmp_path / "kept", "decides", CODE, PART)
    found = load_part(tmp_path / "kept", "decides", CODE)
    assert list(found) == ["figures"]
    assert np.array_equal(found["figures"], PART["figures"], equal_nan=True)
    assert load_part(tmp_path / "kept", "something else", CODE) is None
    assert load_part(None, "decides", CODE) is None


@pytest.mark.parametrize("file", ["__init__.py", "somebodys_book.parameters.toml"])
def test_a_part_made_with_another_code_or_other_numbers_of_a_book_is_not_used(book_folder, tmp_path, file):
    store_part(tmp_path, "decides", CODE, PART)
    digest_of_books.cache_clear()
    assert load_part(tmp_path, "decides", CODE) is not None
    (book_folder / file).write_text((book_folder / file).read_text().replace("20", "30"))
    digest_of_books.cache_clear()
    assert load_part(tmp_path, "decides", CODE) is None


def test_a_part_of_another_version_is_not_used(tmp_path, monkeypatch):
    store_part(tmp_path, "decides", CODE, PART)
    monkeypatch.setattr(finished_parts, "version", lambda _package: "99")
    assert load_part(tmp_path, "decides", CODE) is None


def test_a_part_of_another_code_is_not_used(tmp_path, monkeypatch):
    store_part(tmp_path, "run", CODE, {"a": np.array([1])})
    monkeypatch.setattr(finished_parts, "_digest_of_code", lambda _module: "other")
    assert load_part(tmp_path, "run", CODE) is None


def test_each_package_has_parts_of_its_own(tmp_path):
    store_part(tmp_path, "run", CODE, PART)
    assert load_part(tmp_path, "run", "banzuke.lab.fit") is not None
    assert load_part(tmp_path, "run", "banzuke.engine.history") is None


def test_a_file_that_is_no_part_is_not_used(tmp_path):
    store_part(tmp_path, "decides", CODE, PART)
    [path] = tmp_path.iterdir()
    for other in ('{"figures": [1, 2]}', "[1]", "", "null"):
        path.write_text(other)
        assert load_part(tmp_path, "decides", CODE) is None
    with path.open("wb") as file:
        np.save(file, PART["figures"])
    assert load_part(tmp_path, "decides", CODE) is None


def damaged(data, says):
    """A part whose bytes make its readers say so: what each byte of an archive means is known."""
    local, central = data.index(b"PK\x03\x04"), data.index(b"PK\x01\x02")
    changed = bytearray(data)
    if says == "encrypted":
        changed[local + 6] = changed[central + 8] = 1
    elif says == "a newer version":
        changed[central + 6] = 99
    else:
        changed[local + 8] = changed[central + 10] = {"bzip2": 12, "lzma": 14, "unknown": 99}[says]
    return bytes(changed)


@pytest.mark.parametrize("says", ["encrypted", "a newer version", "bzip2", "lzma", "unknown"])
def test_a_file_that_is_damaged_is_not_used(tmp_path, says):
    store_part(tmp_path, "decides", CODE, PART)
    [path] = tmp_path.iterdir()
    path.write_bytes(damaged(path.read_bytes(), says))
    assert load_part(tmp_path, "decides", CODE) is None


def test_a_header_that_is_no_python_is_not_used(tmp_path):
    store_part(tmp_path, "decides", CODE, PART)
    [path] = tmp_path.iterdir()
    stream = io.BytesIO()
    np.save(stream, PART["figures"])
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("figures.npy", stream.getvalue().replace(b"(2,)", b"(2, ").replace(b"}", b" "))
    assert load_part(tmp_path, "decides", CODE) is None


def test_a_file_that_cannot_be_read_is_said(tmp_path):
    store_part(tmp_path, "decides", CODE, PART)
    [path] = tmp_path.iterdir()
    path.unlink()
    path.mkdir()
    with pytest.raises(OSError, match="directory"):
        load_part(tmp_path, "decides", CODE)
