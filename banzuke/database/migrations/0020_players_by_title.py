"""Who has a title is found without a look at every member."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """An index; no column changes."""

    dependencies: ClassVar = [("book", "0019_contact")]
    operations: ClassVar = [
        migrations.AddIndex("player", models.Index(fields=["pool", "title"], name="players_by_title")),
    ]
