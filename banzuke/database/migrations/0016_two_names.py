"""Names in Japanese of clubs and events, and titles of players; those who are there have none."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Columns that are null in every row that is there, so that no row is written again."""

    dependencies: ClassVar = [("book", "0015_planned_publications")]
    operations: ClassVar = [
        migrations.AddField(model_name=table, name=name, field=models.TextField(blank=True, null=True))
        for table, name in (
            ("club", "name_native"),
            ("event", "name_native"),
            ("sanction", "name_native"),
            ("player", "title"),
            ("player", "title_from"),
        )
    ]
