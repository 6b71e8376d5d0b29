"""The pools whose rows are still coming in."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """A table more."""

    dependencies: ClassVar = [("book", "0037_no_index_twice")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="HiddenPool",
            fields=[
                (
                    "pool",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="book.pool",
                    ),
                ),
            ],
        ),
    ]
