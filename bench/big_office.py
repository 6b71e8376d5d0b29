"""An office with one pool of any size, with names as people have them, its lists stored as published.

The same for the same size: the players of `synthetic_pools.chess_pool` with Japanese names, of which the
commonest is borne by one in sixty, and 300 clubs.
"""

from __future__ import annotations

import random
import time
from datetime import date
from itertools import islice
from typing import TYPE_CHECKING, Any

import django.db
import synthetic_pools
from django.contrib.auth import get_user_model

from banzuke.core.facts import Club, Player
from banzuke.core.gc_pause import uncollected
from banzuke.database import models
from banzuke.database.book_reader import MODELS, columns_of
from banzuke.database.book_writer import Act, open_entry
from banzuke.ledger.folder import records_of
from banzuke.ledger.schema import CHESS
from banzuke.office.lists import list_index, list_storage

if TYPE_CHECKING:
    from collections.abc import Iterable

    from banzuke.ledger.folder import ChessLedger

SLUG = "bench"
CLUBS = 300
RULES = 'name = "Bench"\n\n[[edition]]\nrulebook = "jcf-2024"\nfrom = 2022-09-01\n'
CHUNK = 50_000

COMMON = """SATO佐藤 SUZUKI鈴木 TAKAHASHI高橋 TANAKA田中 ITO伊藤 WATANABE渡辺 YAMAMOTO山本
NAKAMURA中村 KOBAYASHI小林 KATO加藤 YOSHIDA吉田 YAMADA山田 SASAKI佐々木 YAMAGUCHI山口 MATSUMOTO松本 INOUE井上
KIMURA木村 HAYASHI林 SAITO斎藤 SHIMIZU清水"""
GIVEN = """Haruto陽翔 Yuto悠斗 Sota蒼太 Ren蓮 Itsuki樹 Daiki大輝 Kenta健太 Takashi隆 Hiroshi浩 Makoto誠
Akira明 Noboru昇 Ichiro一郎 Yui結衣 Sakura咲良 Mei芽衣 Rin凛 Hina陽菜 Akari明里 Misaki美咲
Keiko恵子 Tomoko智子 Yoko洋子 Emi恵美 Chihiro千尋"""
SYLLABLES = (
    "a ka sa ta na ha ma ya ra wa i ki shi chi ni mi ri u ku su tsu fu mu yu ru o ko so to no ho mo yo"
)
SIGNS = "川島田村木原野山井藤本崎谷沢岡森石池橋坂松竹梅桜林大小中上下東西南北高長美青白黒金玉水星月日光"


def named(rng: random.Random, rare: list[str]) -> tuple[str, str]:
    """A name, and how it is written in kanji."""
    common = COMMON.split()
    family = common[min(int(rng.expovariate(0.12)), 19)] if rng.random() < 0.15 else rng.choice(rare)
    (family, kanji), (given, signs) = parted(family), parted(rng.choice(GIVEN.split()))
    return f"{family} {given}", f"{kanji} {signs}"


def parted(both: str) -> tuple[str, str]:
    letters = "".join(sign for sign in both if sign.isascii())
    return letters, both[len(letters) :]


def rare_names(rng: random.Random) -> list[str]:
    return [
        "".join(rng.choices(SYLLABLES.split(), k=rng.randint(2, 4))).upper()
        + "".join(rng.choices(SIGNS, k=2))
        for _ in range(4_000)
    ]


def ledger_of(players: int, games: int, windows: int) -> ChessLedger:
    """The pool's ledger."""
    ledger, rng = synthetic_pools.chess_pool("jcf-2024", games, players, windows), random.Random(7)
    rare, register = rare_names(rng), []
    for player in ledger.players:
        name, native = named(rng, rare)
        club, sex = f"C{rng.randrange(CLUBS):03}", "f" if rng.random() < 0.1 else "m"
        register.append(Player(player.player_id, name, native, player.birth_date, sex, club))
    ledger.players[:] = register
    first, last = date(2020, 1, 1), date(2040, 12, 31)
    ledger.clubs[:] = [Club(f"C{n:03}", f"Club {n:03}", "club", first, last) for n in range(CLUBS)]
    return ledger


def fill(players: int, games: int, windows: int) -> None:
    """Make the pool, its book and its lists, and a first officer."""
    started = time.perf_counter()

    def tell(what: str) -> None:
        print(f"# {what}: {time.perf_counter() - started:.0f} s", flush=True)

    ledger = ledger_of(players, games, windows)
    with uncollected():
        entry = enter(ledger)
        tell(f"book of {players:,} players, {games:,} games")
        for made in list_index.make_lists(ledger):
            with django.db.transaction.atomic():
                list_storage.store(
                    entry.pool, [made], list_storage.Publication(entry.pk, "bench"), lambda *_: None
                )
            tell(f"list {made.name} stored")
    get_user_model().objects.create_superuser("bench", password=None)
    with django.db.connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def enter(ledger: ChessLedger) -> models.Entry:
    """The pool with its book: the entry that brought it."""
    pool = models.Pool.objects.create(slug=SLUG)
    with django.db.transaction.atomic():
        entry = open_entry(pool, Act("bench", "import-ledger"))
        models.PoolFile.objects.create(entry=entry, name="pool.toml", text=RULES)
        for table in CHESS:
            insert(entry, table, records_of(ledger, table))
    return entry


def insert(entry: models.Entry, table: Any, records: Iterable[Any]) -> None:
    """Facts by COPY where there is one, by the thousand elsewhere."""
    names = [name for name in columns_of(table) if name != "more"]
    columns = ["entry_id", "pool_id", *names]
    rows = ((entry.pk, entry.pool_id, *(getattr(row, name) for name in names)) for row in records)
    target = MODELS[table.record]._meta.db_table  # noqa: SLF001
    quote = django.db.connection.ops.quote_name
    listed = ", ".join(map(quote, columns))
    with django.db.connection.cursor() as cursor:
        if django.db.connection.vendor == "postgresql":
            with cursor.copy(f"COPY {target} ({listed}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        statement = f"INSERT INTO {target} ({listed}) VALUES ({', '.join(['%s'] * len(columns))})"
        while chunk := list(islice(rows, CHUNK)):
            cursor.executemany(statement, chunk)
