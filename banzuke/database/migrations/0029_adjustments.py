"""Adjustments of chess pools; a pool that is there has none."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


class Migration(migrations.Migration):
    """A table that is closed as the others are."""

    dependencies: ClassVar = [("book", "0028_objection_mails")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Adjustment",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("added", models.DateField(null=True)),
                ("adjustment_id", models.TextField()),
                ("list", models.TextField()),
                ("speed", models.TextField(blank=True)),
                ("points", models.TextField()),
                ("decision", models.TextField()),
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
                "indexes": [models.Index(fields=["pool", "list"], name="adjustments_of_list")],
            },
        ),
        closed_for_good(),
    ]
