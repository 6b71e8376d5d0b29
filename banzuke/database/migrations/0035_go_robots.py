"""Which players of a Go server are robots; a pool that is there has none yet."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


class Migration(migrations.Migration):
    """One table, closed as the others are."""

    dependencies: ClassVar = [("book", "0034_next_standings")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="GoRobot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("player_id", models.TextField()),
                ("robot", models.BooleanField()),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="book.entry"
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="book.pool"
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["pool", "id"], name="robots_of_pool")]},
        ),
        closed_for_good(),
    ]
