"""Public files of lists: the FIDE ids in them are those that the register had when the list was published."""

from __future__ import annotations

from datetime import date

import pytest
from office.published_office import CHIEF, TODAY, names, published

from banzuke.core import facts
from banzuke.office.fact_rows import record_of
from banzuke.office.lists.list_index import latest_list
from banzuke.office.lists.publishing import publish
from banzuke.office.pages.list_files import list_document
from banzuke.office.register import members
from banzuke.office.register.members import ContactDetails

pytestmark = pytest.mark.django_db


@pytest.fixture
def japan():
    """All lists but the last are published."""
    return published("japan", -2)


def note_fide_id(pool, fide_id, player="J001"):
    was = record_of(members.find(pool, player), facts.Player)
    members.change(pool, was._replace(fide_id=fide_id), ContactDetails(), CHIEF, "", date(2025, 4, 30))


def fide_id_in(each, player="J001"):
    found = {listed.player_id: listed.fide_id for listed in list_document(each, None).players}
    return found[player]


def test_are_in_the_list_of_their_time(japan):
    before = latest_list(japan)
    note_fide_id(japan, "7009999")
    [each] = publish(japan, names(japan)[-1], CHIEF, TODAY)
    assert fide_id_in(each) == "7009999"
    assert fide_id_in(before) != "7009999"
    note_fide_id(japan, "")
    assert fide_id_in(each) == "7009999"


def test_one_that_was_cleared_is_in_no_file(japan):
    note_fide_id(japan, "7009999")
    note_fide_id(japan, "")
    [each] = publish(japan, names(japan)[-1], CHIEF, TODAY)
    assert fide_id_in(each) == ""
