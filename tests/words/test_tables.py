"""Tables read one by one are those of the whole file."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

import banzuke
from banzuke.words.tables import Tables

SOURCE = Path(banzuke.__file__).parent
FILES = [
    path for path in SOURCE.rglob("*.toml") if path.is_relative_to(SOURCE / "words") or "words" in path.name
]


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_they_are_what_the_whole_file_says(path):
    text = path.read_text("utf-8")
    assert list(Tables(text).items()) == list(tomllib.loads(text).items())


def test_an_edition_takes_the_words_that_it_lacks_from_another():
    other = Tables(
        'title = { en = "A", ja = "A" }\n[clauses.x]\nen = "1"\n[clauses.y]\nen = "2"\n[more.z]\nen = "3"\n'
    )
    own = Tables('title = { en = "B" }\n[clauses.x]\nen = "4"\n[own.w]\nen = "5"\n')
    assert dict(own.over(other)) == {
        "title": {"en": "B", "ja": "A"},
        "clauses": {"x": {"en": "4"}, "y": {"en": "2"}},
        "more": {"z": {"en": "3"}},
        "own": {"w": {"en": "5"}},
    }
    assert list(own.over(other)["clauses"]) == ["x", "y"]


def test_parts_of_a_table_are_put_together():
    tables = Tables('a = 1\n[t.x]\nb = 2\n["u v"]\nc = 3\n[t.y]\nd = 4\n[[w]]\ne = 5\n[[w]]\ne = 6\n')
    assert list(tables) == ["a", "t", "u v", "w"]
    assert tables["t"] == {"x": {"b": 2}, "y": {"d": 4}}
    assert (tables["a"], tables["u v"], tables["w"]) == (1, {"c": 3}, [{"e": 5}, {"e": 6}])


def test_a_name_that_is_not_there():
    tables = Tables("[t]\na = 1\n")
    assert (len(tables), "t" in tables, "a" in tables) == (1, True, False)
    with pytest.raises(KeyError):
        tables["a"]


def test_a_table_twice_is_refused():
    with pytest.raises(tomllib.TOMLDecodeError):
        Tables("[t]\na = 1\n[t]\na = 2\n")["t"]
