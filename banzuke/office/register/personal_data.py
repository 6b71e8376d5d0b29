"""Everything that the office holds on one member, for a member who asks."""

from __future__ import annotations

import io
import json
import zipfile
from typing import TYPE_CHECKING, Any

from django.db.models import F, Q, QuerySet

from banzuke.core import facts
from banzuke.database import models
from banzuke.database.book_reader import MODELS
from banzuke.ledger.schema import CHESS
from banzuke.office.journal import note

if TYPE_CHECKING:
    from banzuke.office.journal import Actor

EXPORT = "export-member"
#: The columns that name a player, by table.
_NAMING = {
    facts.Player: ("player_id",),
    facts.Membership: ("player_id",),
    facts.Game: ("white", "black"),
    facts.Opening: ("player_id",),
}
_ENTRY = {
    "entered_at": F("entry__at"),
    "by": F("entry__author"),
    "act": F("entry__act"),
    "why": F("entry__why"),
}


def held_on(pool: models.Pool, player_id: str) -> dict[str, list[dict[str, Any]]]:
    """What is held on a member, part by part: rows as plain values, in the order in which they came."""
    held = {table.name: _facts(pool, table.record, player_id) for table in CHESS if table.record in _NAMING}
    mine = Q(player_id=player_id)
    return held | {
        "contact": _rows(_noted(models.Contact, pool, mine), *_fields(models.Contact)),
        "merges": _rows(
            _noted(models.Merge, pool, Q(kept=player_id) | Q(merged=player_id)), "kept", "merged", "undone"
        ),
        "seeds": _rows(_noted(models.Seed, pool, mine), "event_id", "kind"),
        "lists": _made(models.ListRow, pool, mine),
        "lines": _made(models.Line, pool, mine | Q(opponent_id=player_id)),
        "workings": _made(models.Working, pool, mine),
        "reports": _reports(pool, player_id),
        "inquiries": _inquiries(pool, player_id),
        "journal": _acts(pool, player_id),
    }


def history(pool: models.Pool, player_id: str) -> list[dict[str, Any]]:
    """What the register ever had of a member, struck rows included, the latest first; each with its table."""
    records = (facts.Player, facts.Membership)
    rows = [row | {"table": record} for record in records for row in _facts(pool, record, player_id)]
    contacts = _rows(_noted(models.Contact, pool, Q(player_id=player_id)), *_fields(models.Contact))
    rows += [row | {"table": models.Contact} for row in contacts]
    return sorted(rows, key=lambda row: row["entered_at"], reverse=True)


def _facts(pool: models.Pool, record: Any, player_id: str) -> list[dict[str, Any]]:
    """A table's rows that name the player, each with who entered it, and who struck it when."""
    model = MODELS[record]
    named = Q(*((column, player_id) for column in _NAMING[record]), _connector=Q.OR)
    rows = _rows(_noted(model, pool, named), "pk", *_fields(model))
    table = next(table.name for table in CHESS if table.record is record)
    strikes = models.Strike.objects.filter(pool=pool, table=table, row__in=[row["pk"] for row in rows])
    struck = {strike.row: strike for strike in strikes.select_related("entry")}
    for row in rows:
        strike = struck.get(row.pop("pk"))
        if strike:
            row |= {"struck": strike.day, "struck_at": strike.entry.at, "struck_by": strike.entry.author}
            row |= {"struck_act": strike.entry.act, "struck_why": strike.entry.why}
    return rows


def _noted(model: Any, pool: models.Pool, which: Q) -> QuerySet[Any]:
    rows: QuerySet[Any] = QuerySet(model)
    noted: QuerySet[Any] = rows.filter(which, pool=pool).annotate(**_ENTRY).order_by("pk")
    return noted


def _fields(model: Any) -> list[str]:
    """The model's own columns: neither its number nor the entry and pool."""
    return [field.name for field in model._meta.fields if field.name not in ("id", "entry", "pool")]  # noqa: SLF001


def _rows(rows: QuerySet[Any], *names: str) -> list[dict[str, Any]]:
    return list(rows.values(*names, *_ENTRY))


def _made(model: Any, pool: models.Pool, which: Q) -> list[dict[str, Any]]:
    """Rows of published lists, with the list's name and revision."""
    rows: QuerySet[Any] = QuerySet(model)
    names = [field for field in _fields(model) if field != "list"]
    named = rows.filter(which, list__pool=pool).order_by("list__number", "pk")
    return list(named.values(*names, of_list=F("list__name"), revision=F("list__revision")))


def _reports(pool: models.Pool, player_id: str) -> list[dict[str, Any]]:
    """The reports in which somebody was decided to be him, or that brought games of his."""
    games = models.Game.objects.filter(Q(white=player_id) | Q(black=player_id), pool=pool)
    mine = Q(decisions__player_id=player_id) | Q(steps__entry__in=games.values("entry"))
    rows = models.Report.objects.filter(mine, pool=pool).order_by("pk").distinct()
    return [dict(row) for row in rows.values("pk", "received_at", "author", "club_id", "source", "state")]


def _inquiries(pool: models.Pool, player_id: str) -> list[dict[str, Any]]:
    rows = models.Inquiry.objects.filter(pool=pool).order_by("pk")
    found = rows.values("day", "asked_by", "about", "state", "draft")
    mine = (row for row in found if player_id in row["about"].split() or _names(row["draft"], player_id))
    return [dict(row) for row in mine]


def _acts(pool: models.Pool, player_id: str) -> list[dict[str, Any]]:
    """The acts of the journal whose facts name him."""
    acts = models.JournalEntry.objects.filter(pool=pool).order_by("pk")
    rows = acts.values("at", "who", "act", "what").iterator()
    return [dict(row) for row in rows if _names(row["what"], player_id)]


def _names(value: Any, player_id: str) -> bool:
    if isinstance(value, dict):
        return any(_names(each, player_id) for each in value.values())
    if isinstance(value, list):
        return any(_names(each, player_id) for each in value)
    return bool(value == player_id)


def archive(
    pool: models.Pool, player_id: str, held: dict[str, list[dict[str, Any]]], page: str, actor: Actor
) -> bytes:
    """What is held as a zip: JSON for programs, the page for people. The journal notes who took it."""
    document = json.dumps(
        {"pool": pool.slug, "member": player_id} | held, ensure_ascii=False, indent=1, default=str
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as folder:
        folder.writestr("held.json", document + "\n")
        folder.writestr("held.html", page)
    note(actor, EXPORT, pool, member=player_id)
    return packed.getvalue()
