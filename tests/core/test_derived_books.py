"""Books at other numbers: how many are kept, and what is imported again."""

from __future__ import annotations

import sys
from importlib import import_module

from banzuke.core import derived_books
from banzuke.core.derived_books import reform_book
from banzuke.core.registry import BOOKS


def test_so_many_books_are_kept_and_no_more(monkeypatch):
    monkeypatch.setattr(derived_books, "MOST_KEPT", 2)
    derived_books._KEPT.clear()
    book = BOOKS["hakodate"]
    first = reform_book(book, {"per_cent": 5})
    reform_book(book, {"per_cent": 6})
    assert reform_book(book, {"per_cent": 5}) is first
    reform_book(book, {"per_cent": 7})
    assert [changes for _, changes in derived_books._KEPT] == ["[('per_cent', 5)]", "[('per_cent', 7)]"]
    assert reform_book(book, {"per_cent": 5}) is first


def test_a_package_is_imported_again_by_the_name_of_its_parent_too(tmp_path, monkeypatch):
    """`from parent import package` finds the package that is imported again, not the attribute that was there."""
    package = tmp_path / "outer" / "inner"
    package.mkdir(parents=True)
    (tmp_path / "outer" / "__init__.py").touch()
    (package / "__init__.py").write_text("from outer.inner import part\n")
    (package / "part.py").write_text("from outer import inner\nwhole = inner\n")
    monkeypatch.syspath_prepend(tmp_path)
    before = import_module("outer.inner")
    with derived_books._imported_again("outer.inner", itself=True):
        again = import_module("outer.inner")
        assert again is not before
        assert again.part.whole is again
    assert sys.modules["outer.inner"] is sys.modules["outer"].inner is before
    assert before.part.whole is before
