"""Somebody shown by id only whose two entries were put together: the lists of before do not name the other."""

from __future__ import annotations

from datetime import date

import pytest
from web.published_pools import published_pool
from web.small_office import visitor

from banzuke.core import facts
from banzuke.database.models import Opening
from banzuke.office.fact_rows import record_of
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import latest_list
from banzuke.office.public_names import by_id_only
from banzuke.office.register import members, player_merge
from banzuke.office.register.members import ContactDetails

pytestmark = pytest.mark.django_db
HANAKO = Actor("hanako")
#: So long after the lists that none of them changes.
DAY = date(2026, 6, 1)


@pytest.fixture
def pool():
    return published_pool()


def hide(pool, player_id, *, yes=True):
    row = record_of(members.find(pool, player_id), facts.Player)
    said = members.contact_of(pool, player_id)._replace(by_id_only=yes)
    members.change(pool, row, said, HANAKO, "", DAY)


def test_the_other_entry_has_no_name_either(pool):
    opens = Opening.objects.filter(pool=pool).values("player_id")
    row = latest_list(pool).rows.filter(speed="standard").exclude(player_id__in=opens).first()
    members.add(pool, facts.Player("KEPT", "SAME Person"), ContactDetails(), HANAKO)
    player_merge.merge(pool, "KEPT", row.player_id, HANAKO, "one person", DAY)
    pages = (
        f"/japan/lists/{latest_list(pool).name}/standard/",
        f"/japan/lists/{latest_list(pool).name}/standard.csv",
    )
    assert all(row.name in visitor().get(page).content.decode() for page in pages)
    hide(pool, "KEPT")
    assert not [page for page in pages if row.name in visitor().get(page).content.decode()]
    assert row.player_id in visitor().get(pages[0]).content.decode()
    hide(pool, "KEPT", yes=False)
    assert by_id_only(pool) == frozenset()


def test_by_way_of_another_and_until_they_are_taken_apart(pool):
    for n, kept in enumerate(("A1", "A2", "A3")):
        members.add(pool, facts.Player(kept, f"SAME Person{n}"), ContactDetails(), HANAKO)
    player_merge.merge(pool, "A2", "A1", HANAKO, "", DAY)
    player_merge.merge(pool, "A3", "A2", HANAKO, "", DAY)
    hide(pool, "A3")
    assert by_id_only(pool) == {"A1", "A2", "A3"}
    player_merge.unmerge(pool, "A3", "A2", HANAKO, "", DAY)
    assert by_id_only(pool) == {"A3"}
