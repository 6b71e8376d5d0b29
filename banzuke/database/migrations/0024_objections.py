"""Inquiries that were opened without an account, questions to clubs about them, and clauses of decisions."""

from __future__ import annotations

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good

SUBJECTS = [("game", "Game"), ("event", "Event"), ("player", "Player")]
ACTS = [
    ("corrected", "Corrected"),
    ("dismissed", "Dismissed"),
    ("upheld", "Upheld"),
    ("appealed", "Appealed"),
]


def _id() -> Any:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    """Two tables whose rows change; the closed steps of inquiries are closed anew."""

    dependencies: ClassVar = [("book", "0023_licence")]
    operations: ClassVar = [
        migrations.AddField(
            model_name="inquirystep",
            name="clause",
            field=models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="inquirystep",
            name="author",
            field=models.CharField(blank=True, max_length=200),
        ),
        migrations.AlterField(
            model_name="inquirystep",
            name="state",
            field=models.CharField(choices=ACTS, max_length=10),
        ),
        migrations.CreateModel(
            name="Objection",
            fields=[
                ("id", _id()),
                ("received_at", models.DateTimeField()),
                ("subject", models.CharField(choices=SUBJECTS, max_length=10)),
                ("speed", models.CharField(blank=True, max_length=10)),
                ("event_id", models.TextField(blank=True)),
                ("round", models.IntegerField(null=True)),
                ("player_id", models.TextField(blank=True)),
                ("opponent_id", models.TextField(blank=True)),
                ("change", models.CharField(blank=True, max_length=20)),
                ("right", models.TextField(blank=True)),
                ("token_sha256", models.CharField(max_length=64, unique=True)),
                ("sender", models.CharField(max_length=64)),
                ("email", models.CharField(blank=True, max_length=254)),
                ("site", models.CharField(blank=True, max_length=200)),
                ("salt", models.CharField(blank=True, max_length=64)),
                (
                    "inquiry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="objection",
                        to="book.inquiry",
                    ),
                ),
                (
                    "list",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="objections",
                        to="book.ratinglist",
                    ),
                ),
            ],
            options={"indexes": [models.Index(fields=["received_at"], name="objections_by_day")]},
        ),
        migrations.CreateModel(
            name="ClubQuestion",
            fields=[
                ("id", _id()),
                ("club_id", models.TextField()),
                ("asked_at", models.DateTimeField()),
                ("asked_by", models.CharField(max_length=200)),
                ("question", models.TextField()),
                ("answered_at", models.DateTimeField(null=True)),
                ("answered_by", models.CharField(blank=True, max_length=200)),
                ("answer", models.TextField(blank=True)),
                (
                    "inquiry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="questions",
                        to="book.inquiry",
                    ),
                ),
            ],
        ),
        closed_for_good(),
    ]
