"""How far off ratings are, on players' pages; a pool that is there shows nothing of it."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


class Migration(migrations.Migration):
    """One table, closed as the others are."""

    dependencies: ClassVar = [("book", "0030_reforms")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="RatingErrors",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("author", models.CharField(max_length=200)),
                ("list", models.CharField(blank=True, max_length=200)),
                ("errors", models.JSONField()),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="rating_errors",
                        to="book.pool",
                    ),
                ),
            ],
        ),
        closed_for_good(),
    ]
