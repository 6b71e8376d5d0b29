"""A Go server's pool as it stands now, and games annulled."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models

from banzuke.database.append_only import append_only


class Migration(migrations.Migration):
    """Live standings and games, void games, and how far back a program may reach."""

    dependencies: ClassVar = [
        ("book", "0005_first_ratings"),
    ]

    operations: ClassVar = [
        migrations.CreateModel(
            name="GoVoid",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game_id", models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name="LiveGame",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("game_id", models.TextField()),
                ("at", models.BigIntegerField()),
                ("black", models.TextField()),
                ("white", models.TextField()),
                ("black_line", models.TextField()),
                ("white_line", models.TextField()),
                ("stands", models.BooleanField(default=True)),
            ],
        ),
        migrations.CreateModel(
            name="LivePool",
            fields=[
                (
                    "pool",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT,
                        primary_key=True,
                        related_name="live",
                        serialize=False,
                        to="book.pool",
                    ),
                ),
                ("entry", models.BigIntegerField()),
            ],
        ),
        migrations.CreateModel(
            name="LiveRefusal",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("at", models.DateTimeField()),
                ("author", models.CharField(max_length=200)),
                ("status", models.IntegerField()),
                ("fault", models.JSONField()),
            ],
        ),
        migrations.CreateModel(
            name="LiveStanding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("player_id", models.TextField()),
                ("state", models.TextField()),
                ("rung", models.IntegerField()),
                ("strength", models.BigIntegerField()),
                ("at", models.BigIntegerField()),
                ("game_id", models.TextField()),
            ],
        ),
        migrations.AddField(
            model_name="officesettings",
            name="late_hours",
            field=models.PositiveIntegerField(blank=True, null=True),
        ),
        migrations.AddIndex(
            model_name="declaration",
            index=models.Index(fields=["pool", "player_id"], name="book_declar_pool_id_a794e0_idx"),
        ),
        migrations.AddIndex(
            model_name="entry",
            index=models.Index(fields=["pool", "id"], name="entries_of_pool"),
        ),
        migrations.AddIndex(
            model_name="goopening",
            index=models.Index(fields=["pool", "player_id"], name="book_goopen_pool_id_284b5a_idx"),
        ),
        migrations.AddField(
            model_name="govoid",
            name="entry",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="book.entry"
            ),
        ),
        migrations.AddField(
            model_name="govoid",
            name="pool",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="book.pool"
            ),
        ),
        migrations.AddField(
            model_name="livegame",
            name="entry",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="book.entry"
            ),
        ),
        migrations.AddField(
            model_name="livegame",
            name="pool",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="book.pool"
            ),
        ),
        migrations.AddField(
            model_name="liverefusal",
            name="pool",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="book.pool"
            ),
        ),
        migrations.AddField(
            model_name="livestanding",
            name="pool",
            field=models.ForeignKey(
                db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name="+", to="book.pool"
            ),
        ),
        migrations.AddConstraint(
            model_name="govoid",
            constraint=models.UniqueConstraint(fields=("pool", "game_id"), name="annulled_once"),
        ),
        migrations.AddIndex(
            model_name="livegame",
            index=models.Index(fields=["pool", "game_id"], name="live_by_id"),
        ),
        migrations.AddIndex(
            model_name="livegame",
            index=models.Index(fields=["pool", "at"], name="live_by_end"),
        ),
        migrations.AddIndex(
            model_name="livegame",
            index=models.Index(fields=["pool", "black", "at"], name="live_by_black"),
        ),
        migrations.AddIndex(
            model_name="livegame",
            index=models.Index(fields=["pool", "white", "at"], name="live_by_white"),
        ),
        migrations.AddIndex(
            model_name="livegame",
            index=models.Index(fields=["pool", "id"], name="live_by_number"),
        ),
        migrations.AddIndex(
            model_name="livestanding",
            index=models.Index(fields=["pool", "-rung"], name="by_rung"),
        ),
        migrations.AddConstraint(
            model_name="livestanding",
            constraint=models.UniqueConstraint(fields=("pool", "player_id"), name="one_standing_each"),
        ),
        append_only("govoid"),
    ]
