"""The content of lists, their trees, and the office's log."""

from __future__ import annotations

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


def _id() -> Any:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def _list(name: str, **how: Any) -> Any:
    return models.OneToOneField(
        on_delete=django.db.models.deletion.PROTECT, related_name=name, to="book.ratinglist", **how
    )


class Migration(migrations.Migration):
    """Four tables, of which three are closed; the worker fills them for lists of before."""

    dependencies: ClassVar = [("book", "0020_players_by_title")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="ListContent",
            fields=[("id", _id()), ("packed", models.BinaryField()), ("list", _list("stored_content"))],
        ),
        migrations.CreateModel(
            name="ListTree",
            fields=[
                ("id", _id()),
                ("leaves", models.BinaryField()),
                ("persons", models.BinaryField()),
                ("list", _list("tree")),
            ],
        ),
        migrations.CreateModel(
            name="PlayerSalt",
            fields=[
                ("id", _id()),
                ("player_id", models.TextField()),
                ("salt", models.BinaryField()),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="book.pool"
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "player_id"), name="one_salt_of_a_player")
                ]
            },
        ),
        migrations.CreateModel(
            name="LogEntry",
            fields=[
                ("id", _id()),
                ("number", models.BigIntegerField(unique=True)),
                ("body", models.TextField()),
                ("secret", models.BinaryField()),
                ("list", _list("log_entry", null=True)),
            ],
        ),
        closed_for_good(),
    ]
