"""Reforms: drafts, rehearsals, decisions, signatures; a pool that is there has none."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good

NUMBER = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
ACTS = [
    ("drafted", "Drafted"),
    ("rehearsed", "Rehearsed"),
    ("minuted", "Minuted"),
    ("signed", "Signed"),
    ("announced", "Announced"),
    ("in-force", "In Force"),
    ("stopped", "Stopped"),
    ("withdrawn", "Withdrawn"),
]


class Migration(migrations.Migration):
    """Two tables that are closed as the others are."""

    dependencies: ClassVar = [("book", "0029_adjustments")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="Reform",
            fields=[
                ("id", NUMBER),
                ("number", models.IntegerField()),
                (
                    "pool",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="reforms", to="book.pool"
                    ),
                ),
            ],
            options={
                "constraints": [models.UniqueConstraint(fields=("pool", "number"), name="a_reform_once")],
            },
        ),
        migrations.CreateModel(
            name="ReformStep",
            fields=[
                ("id", NUMBER),
                ("at", models.DateTimeField()),
                ("author", models.CharField(max_length=200)),
                ("act", models.CharField(choices=ACTS, max_length=10)),
                ("sha256", models.CharField(max_length=64)),
                ("file", models.TextField(blank=True)),
                ("text", models.TextField(blank=True)),
                ("day", models.DateField(null=True)),
                ("link", models.TextField(blank=True)),
                ("facts", models.JSONField(null=True)),
                (
                    "entry",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="book.entry",
                    ),
                ),
                (
                    "reform",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="steps", to="book.reform"
                    ),
                ),
            ],
        ),
        closed_for_good(),
    ]
