"""Under which licence an office gives its data; blank: it gives none."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Another setting of the office, blank at first."""

    dependencies: ClassVar = [("book", "0022_preliminary_lists")]
    operations: ClassVar = [
        migrations.AddField(
            "officesettings",
            "licence",
            models.CharField(max_length=20, blank=True, default=""),
            preserve_default=False,
        ),
    ]
