"""What Django's admin calls the tables of the database and their columns: every one has its names."""

from __future__ import annotations

import pytest
from django.apps import apps
from small_office import client, small_pool

from banzuke.database.models import Event
from banzuke.web.accounts.column_names import COLUMNS, column_name
from banzuke.web.accounts.table_names import NAMES


def test_every_table_has_its_names():
    assert {model.__name__ for model in apps.get_app_config("book").get_models()} == set(NAMES)


def columns():
    """Every column that is not a row's number, with its table."""
    models = apps.get_app_config("book").get_models()
    named = ((each.__name__, one) for each in models for one in each._meta.concrete_fields)
    return {(table, one.name) for table, one in named if not one.auto_created}


def test_every_column_has_its_name():
    assert [each for each in sorted(columns()) if column_name(*each) is None] == []
    assert set(COLUMNS) <= {name for table, one in columns() for name in (one, f"{table}.{one}")}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("lang", "names"), [("en", ("Event&#x27;s id:", "Report form:")), ("ja", ("大会ID", "報告フォーム"))]
)
def test_the_admin_shows_them(lang, names):
    row = Event.objects.filter(pool=small_pool("japan")).first()
    boss = client("administrator", lang=lang)
    page = boss.get(f"/office/admin/book/event/{row.pk}/change/").content.decode()
    assert [name for name in names if name not in page] == []
