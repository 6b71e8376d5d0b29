"""Rows of the ledger in one line, with the names of players and events."""

from collections.abc import Mapping

from django.utils.translation import gettext

from banzuke.core import facts
from banzuke.database.models import Pool
from banzuke.database.two_names import name_here
from banzuke.office.fact_rows import standing_rows
from banzuke.office.public_names import people
from banzuke.web.board.difference_names import with_id
from banzuke.web.result_names import result_text
from banzuke.web.shortcuts import page_language


def describe(pool: Pool, table: str, row: Mapping[str, str]) -> str:
    """A row in one line, with the names of its event and players."""
    if table == "games":
        words = {"event": event_name(pool, row["event_id"]), "round": row["round"]}
        words["result"] = result_text(row["result"])
        words |= {side: player_name(pool, row[side]) for side in ("white", "black")}
        return gettext("%(event)s, round %(round)s: %(white)s – %(black)s, %(result)s") % words
    if table == "memberships":
        name = player_name(pool, row["player_id"])
        event = event_name(pool, row["event_id"]) if row.get("event_id") else ""
        return f"{name}, {row['valid_from']} – {row['valid_to']} {event}".strip()
    return (
        player_name(pool, row["player_id"]) if table == "players" else with_id(row["name"], row["event_id"])
    )


def event_name(pool: Pool, event_id: str) -> str:
    """What an event is called; its id where the ledger does not have it."""
    row = standing_rows(pool, facts.Event).filter(event_id=event_id).first()
    return name_here(row.name, row.name_native) if row else event_id


def player_name(pool: Pool, player_id: str) -> str:
    """A player's name and id."""
    return with_id(people(pool, [player_id])[player_id].called(page_language()), player_id)
