"""Lists that are to be published at an hour."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

STATES = [
    ("waiting", "Waiting"),
    ("running", "Running"),
    ("done", "Done"),
    ("stopped", "Stopped"),
    ("cancelled", "Cancelled"),
]


class Migration(migrations.Migration):
    """A table of its own; a pool has one that waits at most."""

    dependencies: ClassVar = [("book", "0014_withdrawn_reports")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="PlannedPublication",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("list", models.CharField(max_length=200)),
                ("position", models.BigIntegerField()),
                ("at", models.DateTimeField()),
                ("author", models.CharField(max_length=200)),
                ("where", models.CharField(blank=True, max_length=45)),
                ("asked_at", models.DateTimeField()),
                ("state", models.CharField(choices=STATES, default="waiting", max_length=12)),
                ("ended_at", models.DateTimeField(null=True)),
                ("ended_by", models.CharField(blank=True, max_length=200)),
                ("refused", models.JSONField(null=True)),
                (
                    "job",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="book.job",
                    ),
                ),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="planned_publications",
                        to="book.pool",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("state__in", ["waiting", "running"])),
                        fields=("pool",),
                        name="one_planned_publication",
                    )
                ],
            },
        ),
    ]
