"""The columns that a rule book adds to players, events and starting ratings."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """A JSON column in each of the three tables; null in every row that is there."""

    dependencies: ClassVar = [("book", "0006_live")]
    operations: ClassVar = [
        migrations.AddField(model_name=table, name="more", field=models.JSONField(null=True))
        for table in ("player", "event", "opening")
    ]
