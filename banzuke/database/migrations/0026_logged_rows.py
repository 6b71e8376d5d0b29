"""Entries of the log are signed, and the rows of closed tables are bound into it."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


class Migration(migrations.Migration):
    """A column that entries of before do not have, and a table that is not closed."""

    dependencies: ClassVar = [("book", "0025_erasures")]
    operations: ClassVar = [
        migrations.AddField("LogEntry", "signature", models.BinaryField(null=True)),
        migrations.CreateModel(
            name="LoggedRows",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("secret", models.BinaryField()),
                ("tables", models.JSONField()),
                (
                    "entry",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="logged_rows",
                        to="book.logentry",
                    ),
                ),
            ],
        ),
        closed_for_good(),
    ]
