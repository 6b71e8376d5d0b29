"""The day on which an inquiry came into the office, and who confirmed an earlier one."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models


class Migration(migrations.Migration):
    """Inquiries that are there keep the day they have: `recorded_on` is null."""

    dependencies: ClassVar = [("book", "0009_no_replacing")]
    operations: ClassVar = [
        migrations.AddField(model_name="inquiry", name="recorded_on", field=models.DateField(null=True)),
        migrations.AddField(
            model_name="inquiry",
            name="recorded_by",
            field=models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        migrations.AddField(
            model_name="inquiry",
            name="confirmed_by",
            field=models.CharField(blank=True, default="", max_length=200),
            preserve_default=False,
        ),
        migrations.AddField(model_name="inquiry", name="confirmed_at", field=models.DateTimeField(null=True)),
    ]
