"""What rows were before somebody was erased in them, as hashes whose salts are gone."""

from __future__ import annotations

from typing import Any, ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


def _id() -> Any:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


def _of(to: str, name: str) -> Any:
    return models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name=name, to=f"book.{to}")


def give_each_table_its_secret(apps: Any, _: Any) -> None:
    """What was one secret for all tables of an entry stands with each from now on."""
    for each in apps.get_model("book", "LoggedRows").objects.all():
        for told in each.tables.values():
            told["secret"] = bytes(each.secret).hex()
        each.save(update_fields=["tables"])


class Migration(migrations.Migration):
    """A closed table, one of salts, and secrets of their own for the tables of which the log has hashes."""

    dependencies: ClassVar = [("book", "0026_logged_rows")]
    operations: ClassVar = [
        migrations.RemoveConstraint("Erasure", "one_erasure_of_an_id"),
        migrations.AddConstraint(
            "Erasure",
            models.UniqueConstraint(fields=("pool", "player_id", "entry"), name="one_erasure_of_an_entry"),
        ),
        migrations.CreateModel(
            name="ErasedRow",
            fields=[
                ("id", _id()),
                ("table", models.CharField(max_length=40)),
                ("row", models.BigIntegerField()),
                ("before", models.BinaryField()),
                ("erasure", _of("erasure", "book_rows")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("erasure", "table", "row"), name="one_erased_row")
                ]
            },
        ),
        migrations.CreateModel(
            name="TextSalt",
            fields=[
                ("id", _id()),
                ("table", models.CharField(max_length=40)),
                ("row", models.BigIntegerField()),
                ("salt", models.BinaryField()),
                ("pool", _of("pool", "+")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("pool", "table", "row"), name="one_salt_of_a_text")
                ]
            },
        ),
        migrations.RunPython(give_each_table_its_secret, migrations.RunPython.noop),
        migrations.RemoveField("LoggedRows", "secret"),
        closed_for_good(),
    ]
