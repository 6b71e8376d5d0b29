"""The database refuses to change or take out a row of the book, whoever asks."""

from __future__ import annotations

from typing import ClassVar

from django.db import migrations

from banzuke.database.append_only import append_only


class Migration(migrations.Migration):
    """Triggers on every table of the book."""

    dependencies: ClassVar = [("book", "0001_initial")]
    operations: ClassVar = [
        append_only(
            *("pool", "entry", "poolfile", "player", "club", "membership", "event", "game", "opening"),
            *("strike", "goplayer", "gogame", "declaration", "goopening"),
        )
    ]
