"""Points for byes of the events of chess pools; an event that is there has none."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


class Migration(migrations.Migration):
    """A table that is closed as the others are."""

    dependencies: ClassVar = [("book", "0010_inquiries_dated_back")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Bye",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("event_id", models.TextField()),
                ("round", models.IntegerField()),
                ("player_id", models.TextField()),
                ("points", models.IntegerField()),
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
            options={
                "indexes": [
                    models.Index(fields=["pool", "event_id"], name="book_bye_pool_id_cbef48_idx"),
                    models.Index(fields=["pool", "player_id"], name="book_bye_pool_id_332204_idx"),
                ],
            },
        ),
        closed_for_good(),
    ]
