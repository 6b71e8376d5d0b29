"""By what players and events are found by words with slips; the worker fills the tables from the book."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


def _number() -> models.BigAutoField:  # type: ignore[type-arg]
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def _pool() -> models.ForeignKey:  # type: ignore[type-arg]
    return models.ForeignKey(
        db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="book.pool"
    )


class Migration(migrations.Migration):
    """Tables that are made from the book: nothing in them is entered, and they may be emptied at any time."""

    dependencies: ClassVar = [("book", "0012_coming_ratings")]
    operations: ClassVar = [
        migrations.AddIndex(
            model_name="event",
            index=models.Index(fields=["pool", "organiser", "ends"], name="events_of_organiser"),
        ),
        migrations.CreateModel(
            name="FoundUpTo",
            fields=[
                (
                    "pool",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="book.pool",
                    ),
                ),
                ("entry", models.BigIntegerField(default=0)),
                ("player", models.BigIntegerField(default=0)),
                ("event", models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="EventWord",
            fields=[
                ("id", _number()),
                ("form", models.BinaryField()),
                ("event_id", models.TextField()),
                ("pool", _pool()),
            ],
            options={
                "indexes": [models.Index(fields=["pool", "event_id", "form"], name="forms_of_an_event")],
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "form", "event_id"), name="one_form_of_an_event")
                ],
            },
        ),
        migrations.CreateModel(
            name="NearWord",
            fields=[
                ("id", _number()),
                ("kind", models.CharField(choices=[("p", "Player"), ("e", "Event")], max_length=1)),
                ("key", models.TextField()),
                ("word", models.TextField()),
                ("pool", _pool()),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "kind", "key", "word"), name="one_key_of_a_word")
                ],
            },
        ),
    ]
