"""One list made from its ledger has the bytes that the office publishes it with."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from banzuke.engine.history import UnknownListError
from banzuke.engine.one_list import list_content
from banzuke.ledger.folder import read_ledger
from banzuke.office.lists.list_index import make_lists, names_of
from banzuke.transparency.list_leaves import split_content

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.parametrize("example", ["japan", "hakodate", "us-championship-2025", "go-server"])
def test_as_the_office_makes_it(example):
    ledger = read_ledger(EXAMPLES / example)
    made = {each.name: each for each in make_lists(ledger, names_of(ledger))}
    for name in {*list(made)[:2], list(made)[-1]}:
        content = list_content(ledger, name, 77)
        assert hashlib.sha256(content).hexdigest() == made[name].content_sha256(77)
        assert split_content(content).entry == 77


@pytest.mark.parametrize("example", ["japan", "go-server"])
def test_a_list_that_there_is_not(example):
    ledger = read_ledger(EXAMPLES / example)
    for name in ("1999-01", "nothing"):
        with pytest.raises(UnknownListError):
            list_content(ledger, name, 1)
