"""Lists that are published as preliminary until a day, and that they became final."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good

NUMBER = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    """Two closed tables beside the lists; a planned publication may be of a preliminary list."""

    dependencies: ClassVar = [("book", "0021_transparency")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="PreliminaryList",
            fields=[
                ("id", NUMBER),
                (
                    "list",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="preliminary",
                        to="book.ratinglist",
                    ),
                ),
                ("until", models.DateField()),
            ],
        ),
        migrations.CreateModel(
            name="FinalList",
            fields=[
                ("id", NUMBER),
                (
                    "list",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="final",
                        to="book.ratinglist",
                    ),
                ),
                (
                    "last",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, related_name="+", to="book.ratinglist"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("author", models.CharField(blank=True, max_length=200)),
                ("open", models.IntegerField()),
            ],
        ),
        migrations.AddField(
            model_name="plannedpublication", name="preliminary_until", field=models.DateField(null=True)
        ),
        closed_for_good(),
    ]
