"""Addresses to which the feed of a Go pool is posted; a pool that is there has none."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """One table."""

    dependencies: ClassVar = [("book", "0032_game_queue")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Webhook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("address", models.CharField(max_length=2000)),
                ("secret", models.TextField()),
                ("made_by", models.CharField(max_length=200)),
                ("made_at", models.DateTimeField()),
                ("sent", models.BigIntegerField()),
                ("upto", models.BigIntegerField(default=0)),
                ("taken_at", models.DateTimeField(null=True)),
                ("tries", models.IntegerField(default=0)),
                ("failing_since", models.DateTimeField(null=True)),
                ("failure", models.JSONField(default=dict)),
                ("due_at", models.DateTimeField()),
                ("off_at", models.DateTimeField(null=True)),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="webhooks", to="book.pool"
                    ),
                ),
            ],
        ),
    ]
