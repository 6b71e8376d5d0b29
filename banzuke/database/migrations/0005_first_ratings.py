"""First ratings of a list are found at once, however long it is."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """An index of the few rows without a rating before."""

    dependencies: ClassVar = [("book", "0004_append_only_office")]
    operations: ClassVar = [
        migrations.AddIndex(
            model_name="listrow",
            index=models.Index(
                fields=["list", "speed", "player_id"],
                condition=models.Q(change__isnull=True, rating__isnull=False, peak__isnull=False),
                name="first_ratings",
            ),
        ),
    ]
