"""Standings by other rules of a Go pool, made beside those in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

import django.db.models.deletion
from django.db import migrations, models

if TYPE_CHECKING:
    from typing import Any


def _number() -> models.BigAutoField[Any, Any]:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def _key(to: str) -> models.ForeignKey[Any, Any]:
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to=to
    )


class Migration(migrations.Migration):
    """Three tables like those of the live standings."""

    dependencies: ClassVar = [("book", "0033_webhooks")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="NextPool",
            fields=[
                (
                    "pool",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="book.pool",
                    ),
                ),
                ("entry", models.BigIntegerField()),
                ("run", models.TextField()),
                ("in_force", models.BigIntegerField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="NextGame",
            fields=[
                ("id", _number()),
                ("game_id", models.TextField()),
                ("at", models.BigIntegerField()),
                ("black", models.TextField()),
                ("white", models.TextField()),
                ("black_line", models.TextField()),
                ("white_line", models.TextField()),
                ("stands", models.BooleanField(default=True)),
                ("entry", _key("book.entry")),
                ("pool", _key("book.pool")),
            ],
            options={
                "indexes": [
                    models.Index(fields=["pool", "game_id"], name="next_by_id"),
                    models.Index(fields=["pool", "at"], name="next_by_end"),
                    models.Index(fields=["pool", "black", "at"], name="next_by_black"),
                    models.Index(fields=["pool", "white", "at"], name="next_by_white"),
                ]
            },
        ),
        migrations.CreateModel(
            name="NextStanding",
            fields=[
                ("id", _number()),
                ("player_id", models.TextField()),
                ("state", models.TextField()),
                ("rung", models.IntegerField()),
                ("strength", models.BigIntegerField()),
                ("at", models.BigIntegerField()),
                ("game_id", models.TextField()),
                ("pool", _key("book.pool")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "player_id"), name="one_next_standing_each")
                ]
            },
        ),
    ]
