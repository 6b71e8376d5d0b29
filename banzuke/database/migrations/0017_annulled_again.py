"""A game may be annulled again after it was restored: of its annulments all but the last are struck."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations, models

from banzuke.database.append_only import closed_for_good


class Migration(migrations.Migration):
    """No key of the table but its number; it is closed anew."""

    dependencies: ClassVar = [("book", "0016_two_names")]
    operations: ClassVar = [
        migrations.RemoveConstraint(model_name="govoid", name="annulled_once"),
        migrations.AddIndex(
            model_name="govoid", index=models.Index(fields=["pool", "game_id"], name="annulled_game")
        ),
        closed_for_good(),
    ]
