"""Where players write to the office; public pages show it."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Another setting of the office, blank at first."""

    dependencies: ClassVar = [("book", "0018_cancelled_events")]
    operations: ClassVar = [
        migrations.AddField(
            "officesettings",
            "contact",
            models.CharField(max_length=200, blank=True, default=""),
            preserve_default=False,
        ),
    ]
