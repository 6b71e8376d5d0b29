"""Verifying: whatever is changed in what is stored of a list is found."""

from __future__ import annotations

import pytest
from office.published_office import CHIEF, TODAY, after, inquiry, names, published

from banzuke.database.models import Line, ListRow, RatingList, Working
from banzuke.office.lists import verification
from banzuke.office.lists.corrections import carry_out
from banzuke.office.lists.list_index import current_lists
from banzuke.office.refusals import NotPublishedError

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("either_engine")]


@pytest.fixture
def pool():
    return published("japan")


@pytest.mark.slow
def test_every_list_of_every_revision_is_good(pool):
    carry_out(inquiry(pool, after(pool, names(pool)[0], 10)), CHIEF, "wrong result", TODAY)
    for found in RatingList.objects.filter(pool=pool):
        checked = verification.verify(pool, found.name, found.revision)
        assert checked.is_good
        assert (checked.published, checked.rows, checked.lines) == (
            found,
            found.rows.count(),
            found.lines.count(),
        )


def test_a_row_a_line_or_a_working_too_many_is_found(pool):
    found = current_lists(pool).first()
    row = found.rows.first()
    row.pk, row.player_id = None, "GHOST"
    ListRow.objects.bulk_create([row])
    line = found.lines.first()
    line.pk, line.round = None, 99
    Line.objects.bulk_create([line])
    Working.objects.create(list=found, speed="standard", player_id="GHOST", calculation={})
    checked = verification.verify(pool, found.name)
    assert not checked.is_good
    assert [each.player for each in checked.differences] == ["GHOST"]
    assert [each.round for each in checked.line_differences] == [99]
    assert checked.workings == [("standard", "GHOST")]
    assert checked.sha256 == found.sha256


def test_a_list_with_another_hash_is_found(pool):
    found = current_lists(pool).first()
    RatingList.objects.create(
        **{
            f.name: getattr(found, f.name)
            for f in RatingList._meta.fields
            if f.name not in ("id", "sha256", "number", "revision")
        },
        sha256="0" * 64,
        number=found.number + 1,
        revision=1,
    )
    checked = verification.verify(pool, found.name)
    assert not checked.is_good
    assert checked.differences
    assert verification.verify(pool, found.name, 0).is_good


def test_what_is_not_published_is_said_to_be_not(pool):
    with pytest.raises(NotPublishedError) as refused:
        verification.verify(pool, "1999-01")
    assert "2025-05 r0" in refused.value.sentence("en")
    with pytest.raises(NotPublishedError):
        verification.verify(pool, "2025-05", 7)
