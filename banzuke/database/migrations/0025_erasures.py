"""Persons who were erased."""

from __future__ import annotations

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


def _id() -> Any:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def _of(to: str, name: str, kind: Any = models.ForeignKey) -> Any:
    return kind(on_delete=django.db.models.deletion.PROTECT, related_name=name, to=f"book.{to}")


class Migration(migrations.Migration):
    """Three closed tables."""

    dependencies: ClassVar = [("book", "0024_objections")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Erasure",
            fields=[
                ("id", _id()),
                ("player_id", models.TextField()),
                ("day", models.DateField()),
                ("author", models.CharField(max_length=200)),
                ("rows", models.JSONField()),
                ("pool", _of("pool", "erasures")),
                ("entry", _of("entry", "+")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "player_id"), name="one_erasure_of_an_id")
                ]
            },
        ),
        migrations.CreateModel(
            name="ErasedFile",
            fields=[
                ("id", _id()),
                ("size", models.BigIntegerField()),
                ("erasure", _of("erasure", "files")),
                ("file", _of("reportfile", "erased", models.OneToOneField)),
            ],
        ),
        migrations.CreateModel(
            name="ErasedEvents",
            fields=[
                ("id", _id()),
                ("sha256", models.CharField(max_length=64)),
                ("erasure", _of("erasure", "events")),
                ("list", _of("ratinglist", "erased_events")),
            ],
        ),
        closed_for_good(),
    ]
