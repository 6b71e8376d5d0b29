"""An event applied for may be cancelled; no column changes."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

_STATES = [
    ("asked", "Asked"), ("granted", "Granted"), ("refused", "Refused"), ("cancelled", "Cancelled"),
]  # fmt: skip


class Migration(migrations.Migration):
    """Another choice for the states of applications and of their steps."""

    dependencies: ClassVar = [("book", "0017_annulled_again")]
    operations: ClassVar = [
        migrations.AlterField(
            "sanction", "state", models.CharField(max_length=10, choices=_STATES, default="asked")
        ),
        migrations.AlterField("sanctionstep", "state", models.CharField(max_length=10, choices=_STATES)),
    ]
