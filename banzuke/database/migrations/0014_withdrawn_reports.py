"""A report that its club took back is withdrawn; the database itself does not change."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

STATES = [
    ("waiting", "Waiting"),
    ("held", "Held"),
    ("returned", "Returned"),
    ("accepted", "Accepted"),
    ("refused", "Refused"),
    ("withdrawn", "Withdrawn"),
]


class Migration(migrations.Migration):
    """One more state of reports and of their steps."""

    dependencies: ClassVar = [("book", "0013_search")]
    operations: ClassVar = [
        migrations.AlterField(
            model_name="report",
            name="state",
            field=models.CharField(choices=STATES, default="waiting", max_length=10),
        ),
        migrations.AlterField(
            model_name="reportstep", name="state", field=models.CharField(choices=STATES, max_length=10)
        ),
    ]
