"""The hash of an id in whose place an erasure put a number; erasures of before have none."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


class Migration(migrations.Migration):
    """A column more."""

    dependencies: ClassVar = [("book", "0035_go_robots")]
    operations: ClassVar = [
        migrations.AddField(
            model_name="erasure", name="former", field=models.CharField(max_length=64, null=True)
        ),
        closed_for_good(),
    ]
