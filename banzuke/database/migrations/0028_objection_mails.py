"""Mails about objections that are sent again, their language; objections to a list, and withdrawn ones."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

STATES = [
    ("open", "Open"),
    ("corrected", "Corrected"),
    ("dismissed", "Dismissed"),
    ("withdrawn", "Withdrawn"),
]
ACTS = [
    ("corrected", "Corrected"),
    ("dismissed", "Dismissed"),
    ("withdrawn", "Withdrawn"),
    ("upheld", "Upheld"),
    ("appealed", "Appealed"),
]
SUBJECTS = [("game", "Game"), ("event", "Event"), ("player", "Player"), ("list", "List")]


class Migration(migrations.Migration):
    """A table whose rows come and go; new words in columns stand in Django's state alone."""

    dependencies: ClassVar = [("book", "0027_erased_rows")]
    operations: ClassVar = [
        migrations.AlterField(
            model_name="inquiry",
            name="state",
            field=models.CharField(choices=STATES, default="open", max_length=10),
        ),
        migrations.AlterField(
            model_name="inquirystep",
            name="state",
            field=models.CharField(choices=ACTS, max_length=10),
        ),
        migrations.AlterField(
            model_name="objection",
            name="subject",
            field=models.CharField(choices=SUBJECTS, max_length=10),
        ),
        migrations.AddField(
            model_name="objection",
            name="language",
            field=models.CharField(blank=True, default="", max_length=5),
            preserve_default=False,
        ),
        migrations.CreateModel(
            name="ObjectionMail",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("what", models.CharField(max_length=20)),
                ("due_at", models.DateTimeField(db_index=True)),
                ("tries", models.IntegerField(default=0)),
                (
                    "objection",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="mails",
                        to="book.objection",
                    ),
                ),
            ],
        ),
    ]
