"""The exact bytes of a list are stored with it: what its hash is made of, and nothing else."""

from __future__ import annotations

import gzip
import hashlib

import pytest
from django.db import DatabaseError, transaction
from office.published_office import CHIEF, TODAY, example, names, published

from banzuke.database.models import ListContent, RatingList
from banzuke.office.administration import backup
from banzuke.office.lists.publishing import publish
from banzuke.office.transparency.list_contents import content_of, packed_content_of

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", ["japan", "hakodate", "us-championship-2025", "go-server"])
@pytest.mark.usefixtures("either_engine")
def test_the_hash_of_a_list_is_that_of_its_bytes(name):
    lists = RatingList.objects.filter(pool=published(name))
    assert lists
    for each in lists:
        content = content_of(each)
        assert hashlib.sha256(content).hexdigest() == each.sha256
        assert content.startswith(f"banzuke list,{each.name}\nedition,{each.rulebook},".encode())
        assert content.endswith(f"\nentry,{each.entry_id}\n".encode())
        assert gzip.decompress(packed_content_of(each)) == content


def test_a_list_of_before_has_none():
    each = RatingList.objects.filter(pool=published("hakodate")).first()
    assert content_of(RatingList(pk=each.pk + 10_000)) is None


def test_it_is_closed():
    published("hakodate")
    for act in (lambda rows: rows.update(packed=b""), lambda rows: rows._raw_delete("default")):
        with pytest.raises(DatabaseError), transaction.atomic():
            act(ListContent.objects.all())


def test_it_is_gone_with_a_publication_that_fails(monkeypatch):
    pool = example("hakodate")
    monkeypatch.setattr("banzuke.office.lists.publishing.note", lambda *_, **__: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        publish(pool, names(pool)[0], CHIEF, TODAY)
    assert not ListContent.objects.exists()


def test_few_large_rows_are_in_memory_at_once():
    assert set(backup.tables()) >= backup.LARGE
    assert [backup.chunk_of(name) for name in ("book.listcontent", "book.playersalt")] == [10, 10_000]
