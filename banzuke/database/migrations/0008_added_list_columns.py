"""The columns that a rule book adds to its lists."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """A JSON column for the rows of lists; null in every row that is there."""

    dependencies: ClassVar = [("book", "0007_added_columns")]
    operations: ClassVar = [
        migrations.AddField(model_name="listrow", name="more", field=models.JSONField(null=True))
    ]
