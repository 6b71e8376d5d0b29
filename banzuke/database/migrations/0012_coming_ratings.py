"""What the coming list would be if it closed now, and the reports that wait; what player pages ask for."""

from __future__ import annotations

from typing import ClassVar

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    """Tables of derived data, which are open, and an index each for places by group and starting ratings."""

    dependencies: ClassVar = [("book", "0011_byes")]
    operations: ClassVar = [
        migrations.CreateModel(
            name="ComingLine",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("position", models.IntegerField()),
                ("speed", models.CharField(blank=True, max_length=10)),
                ("event_id", models.TextField()),
                ("round", models.IntegerField()),
                ("player_id", models.TextField()),
                ("opponent_id", models.TextField()),
                ("score", models.SmallIntegerField(null=True)),
                ("own", models.IntegerField(null=True)),
                ("opponent", models.IntegerField(null=True)),
                ("difference", models.IntegerField(null=True)),
                ("expected", models.SmallIntegerField(null=True)),
                ("k", models.IntegerField(null=True)),
                ("k_why", models.CharField(blank=True, max_length=40)),
                ("k_clause", models.CharField(blank=True, max_length=40)),
                ("change", models.IntegerField(null=True)),
                ("verdict", models.CharField(max_length=40)),
                ("clause", models.CharField(blank=True, max_length=40)),
            ],
        ),
        migrations.CreateModel(
            name="ComingList",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=200)),
                ("day", models.DateField(null=True)),
                ("closes", models.DateField(null=True)),
                ("rulebook", models.CharField(blank=True, max_length=40)),
                ("position", models.BigIntegerField()),
                ("number", models.IntegerField()),
                ("made_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ComingRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("speed", models.CharField(blank=True, max_length=10)),
                ("player_id", models.TextField()),
                ("rating", models.IntegerField(null=True)),
                ("games", models.IntegerField()),
                ("change", models.IntegerField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="WaitingPlayer",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("player_id", models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name="WaitingReport",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("questions", models.IntegerField()),
                ("seen", models.JSONField()),
            ],
        ),
        migrations.AddIndex(
            model_name="listrow",
            index=models.Index(
                fields=["list", "speed", "group", "place"], name="book_listro_list_id_d3e916_idx"
            ),
        ),
        migrations.AddIndex(
            model_name="opening",
            index=models.Index(fields=["pool", "player_id"], name="book_openin_pool_id_0a4c02_idx"),
        ),
        migrations.AddField(
            model_name="cominglist",
            name="pool",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="coming", to="book.pool"
            ),
        ),
        migrations.AddField(
            model_name="comingline",
            name="coming",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="lines", to="book.cominglist"
            ),
        ),
        migrations.AddField(
            model_name="comingrow",
            name="coming",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="rows", to="book.cominglist"
            ),
        ),
        migrations.AddField(
            model_name="waitingreport",
            name="report",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE, related_name="waiting", to="book.report"
            ),
        ),
        migrations.AddField(
            model_name="waitingplayer",
            name="waiting",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="players", to="book.waitingreport"
            ),
        ),
        migrations.AddIndex(
            model_name="comingline",
            index=models.Index(fields=["coming", "event_id"], name="book_coming_coming__98b125_idx"),
        ),
        migrations.AddIndex(
            model_name="comingline",
            index=models.Index(fields=["coming", "player_id"], name="book_coming_coming__702dbe_idx"),
        ),
        migrations.AddConstraint(
            model_name="comingrow",
            constraint=models.UniqueConstraint(
                fields=("coming", "player_id", "speed"), name="one_coming_row_of_a_player"
            ),
        ),
        migrations.AddIndex(
            model_name="waitingplayer",
            index=models.Index(fields=["player_id"], name="book_waitin_player__32bcd2_idx"),
        ),
        migrations.AddConstraint(
            model_name="waitingplayer",
            constraint=models.UniqueConstraint(fields=("waiting", "player_id"), name="waiting_once"),
        ),
    ]
