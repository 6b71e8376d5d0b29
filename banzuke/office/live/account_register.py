"""The register of a Go pool: its players as officers read them, found as one types, with their history."""

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from operator import and_
from typing import NamedTuple

from django.db.models import Min, Q, QuerySet

from banzuke.core import go_facts
from banzuke.database.models import Entry, GoPlayer, GoRobot, LiveStanding, Pool
from banzuke.office.erased_ids import erased_ids
from banzuke.office.fact_rows import standing_rows
from banzuke.office.live.live_codec import state_from
from banzuke.office.live.live_pool import synchronise
from banzuke.office.live.robots import find_robots

#: More letters than anybody types; a database takes no search of any length.
LONGEST_SEARCH = 100


class AccountRow(NamedTuple):
    """A player of the register: `rank` now, `declared` at first, and when the player was entered."""

    player_id: str
    name: str
    rank: str
    declared: str
    is_robot: bool
    is_professional: bool
    is_erased: bool
    came: datetime


class AccountChange(NamedTuple):
    """An entry about a player: who made it, when and why; the name, or (None: not said) whether a robot."""

    at: datetime
    author: str
    act: str
    why: str
    name: str
    robot: bool | None


def search_accounts(pool: Pool, typed: str) -> QuerySet[GoPlayer]:
    """The players who are meant by what was typed, by id; all where nothing was. Raises NotLiveError."""
    synchronise(pool)
    rows: QuerySet[GoPlayer] = standing_rows(pool, go_facts.GoPlayer).order_by("player_id", "pk")
    words = typed[:LONGEST_SEARCH].replace("\u3000", " ").split()
    if not words:
        return rows
    return rows.filter(
        reduce(and_, (Q(name__icontains=word) | Q(player_id__icontains=word) for word in words))
    )


def account_rows(pool: Pool, rows: Sequence[GoPlayer]) -> list[AccountRow]:
    """These players, as officers read them."""
    ids = [row.player_id for row in rows]
    of = {"pool": pool, "player_id__in": ids}
    states = dict(LiveStanding.objects.filter(**of).values_list("player_id", "state"))
    came = GoPlayer.objects.filter(**of).order_by().values("player_id").annotate(came=Min("entry__at"))
    entered = {row["player_id"]: row["came"] for row in came}
    robots, erased = find_robots(pool).now, erased_ids(pool)
    return [
        AccountRow(
            row.player_id,
            row.name,
            state_from(states[row.player_id]).rank if row.player_id in states else row.declared,
            row.declared,
            row.player_id in robots,
            row.professional or row.declared.endswith("p"),
            row.player_id in erased,
            entered[row.player_id],
        )
        for row in rows
    ]


def find_account(pool: Pool, player_id: str) -> AccountRow | None:
    """A player of the register; None for nobody. Raises NotLiveError."""
    rows = list(search_accounts(pool, "").filter(player_id=player_id))
    return account_rows(pool, rows[-1:])[0] if rows else None


def account_history(pool: Pool, player_id: str) -> list[AccountChange]:
    """What was entered about a player, the last first."""
    of = {"pool": pool, "player_id": player_id}
    changes: list[tuple[Entry, str, bool | None]] = [
        (row.entry, row.name, None) for row in GoPlayer.objects.filter(**of).select_related("entry")
    ]
    changes += [(row.entry, "", row.robot) for row in GoRobot.objects.filter(**of).select_related("entry")]
    return [
        AccountChange(entry.at, entry.author, entry.act, entry.why, name, robot)
        for entry, name, robot in sorted(changes, key=lambda change: change[0].pk, reverse=True)
    ]
