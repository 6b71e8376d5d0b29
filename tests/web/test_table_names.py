"""What Django's admin calls the tables of the database: every one has its names."""

from __future__ import annotations

from django.apps import apps

from banzuke.web.accounts.table_names import NAMES


def test_every_table_has_its_names():
    assert {model.__name__ for model in apps.get_app_config("book").get_models()} == set(NAMES)
