"""No row is replaced by an INSERT either; and what a list's events were called is kept with it."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


class Migration(migrations.Migration):
    """Every trigger is made anew; `events_sha256` is null for lists that are there."""

    dependencies: ClassVar = [("book", "0008_added_list_columns")]
    operations: ClassVar = [
        migrations.AddField(
            model_name="ratinglist", name="events_sha256", field=models.CharField(max_length=64, null=True)
        ),
        closed_for_good(),
    ]
