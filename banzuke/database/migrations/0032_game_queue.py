"""A queue into which programs insert games, for who takes them into the book."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Length, Now
from django.db.models.lookups import LessThanOrEqual

from banzuke.database.queue_trigger import wakes


class Migration(migrations.Migration):
    """One table, and on PostgreSQL what wakes those who wait for its rows."""

    dependencies: ClassVar = [("book", "0031_rating_errors")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="QueuedGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        db_column="pool",
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        to="book.pool",
                        to_field="slug",
                    ),
                ),
                ("game", models.TextField()),
                ("came", models.DateTimeField(db_default=Now())),
                ("author", models.CharField(db_default="", max_length=200)),
                ("refused", models.DateTimeField(null=True)),
                ("fault", models.JSONField(null=True)),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(refused=None), fields=["pool", "id"], name="games_waiting"
                    ),
                    models.Index(
                        condition=~models.Q(refused=None), fields=["pool", "id"], name="games_refused"
                    ),
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=LessThanOrEqual(Length("game"), 4_000), name="queued_game_is_short"
                    )
                ],
            },
        ),
        wakes(),
    ]
