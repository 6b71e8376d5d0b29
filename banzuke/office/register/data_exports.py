"""Files that hold what is not public: the ledger, an event for FIDE, all data on one member."""

import io
import json
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from django.db.models import F, Q, QuerySet

from banzuke.core import facts
from banzuke.core.fault import RefusedError, fault
from banzuke.database import models
from banzuke.database.book_reader import MODELS, last_entry, read_book, read_byes
from banzuke.database.ledger_folders import write_folder
from banzuke.exchange.event_export import event_report, rated_event
from banzuke.formats.trf import trf_writer
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.schema import BYES, CHESS, Table
from banzuke.office.fact_rows import TABLES
from banzuke.office.journal import Actor, note

LEDGER, EVENT, MEMBER = "export-ledger", "export-event", "export-member"
#: The columns that name a player, where a table has them.
NAMING = ("player_id", "white", "black")
_ENTRY = {
    "entered_at": F("entry__at"),
    "by": F("entry__author"),
    "act": F("entry__act"),
    "why": F("entry__why"),
}


def ledger_zip(pool: models.Pool, actor: Actor) -> bytes:
    """The pool's ledger folder as of now, zipped: what `banzuke rate` makes the published lists of."""
    until, packed = last_entry(pool), io.BytesIO()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / pool.slug
        write_folder(pool, folder, until)
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for path in sorted(folder.iterdir()):
                archive.write(path, f"{pool.slug}/{path.name}")
    note(actor, LEDGER, pool, entry=until)
    return packed.getvalue()


def event_trf(pool: models.Pool, event_id: str, federation: str, actor: Actor) -> bytes:
    """An event with its games as TRF16, birth dates in it, for FIDE.

    Raises RefusedError for a Go pool, for an event that no list takes, and for what TRF cannot hold.
    """
    ledger = read_book(pool)
    if not isinstance(ledger, ChessLedger):
        raise RefusedError([fault(pool.slug, 0, "", "not-chess")])
    found, byes = rated_event(ledger, event_id), read_byes(pool, event_id=event_id)
    report = event_report(found, federation, birth_dates=True, byes=byes)
    data = trf_writer.write(report, version=16, federation_code=federation)
    note(actor, EVENT, pool, event=event_id)
    return data


def personal_data(pool: models.Pool, player_id: str) -> dict[str, list[dict[str, Any]]]:
    """All data on a member, part by part: rows as plain values, in the order in which they came."""
    parts = {table.name: _facts(pool, table, player_id) for table in (*CHESS, BYES) if _naming(table)}
    mine = Q(player_id=player_id)
    return parts | {
        "contact": _rows(_with_entries(models.Contact, pool, mine), *_fields(models.Contact)),
        "merges": _rows(
            _with_entries(models.Merge, pool, Q(kept=player_id) | Q(merged=player_id)),
            "kept",
            "merged",
            "undone",
        ),
        "seeds": _rows(_with_entries(models.Seed, pool, mine), "event_id", "kind"),
        "lists": _list_rows(models.ListRow, pool, mine),
        "lines": _list_rows(models.Line, pool, mine | Q(opponent_id=player_id)),
        "workings": _list_rows(models.Working, pool, mine),
        "reports": _reports(pool, player_id),
        "inquiries": _inquiries(pool, player_id),
        "objections": _objections(pool, player_id),
        "journal": _acts(pool, player_id),
    }


def register_history(pool: models.Pool, player_id: str) -> list[dict[str, Any]]:
    """What the register ever had of a member, struck rows included, the latest first; each with its table."""
    tables = (TABLES[facts.Player], TABLES[facts.Membership])
    rows = [row | {"table": table.record} for table in tables for row in _facts(pool, table, player_id)]
    contacts = _rows(_with_entries(models.Contact, pool, Q(player_id=player_id)), *_fields(models.Contact))
    rows += [row | {"table": models.Contact} for row in contacts]
    return sorted(rows, key=lambda row: row["entered_at"], reverse=True)


def _naming(table: Table) -> list[str]:
    return [name for name in NAMING if name in table.columns]


def _facts(pool: models.Pool, table: Table, player_id: str) -> list[dict[str, Any]]:
    """A table's rows that name the player, each with who entered it, and who struck it when."""
    model = MODELS[table.record]
    named = Q(*((column, player_id) for column in _naming(table)), _connector=Q.OR)
    rows = _rows(_with_entries(model, pool, named), "pk", *_fields(model))
    strikes = models.Strike.objects.filter(pool=pool, table=table.name, row__in=[row["pk"] for row in rows])
    struck = {strike.row: strike for strike in strikes.select_related("entry")}
    for row in rows:
        strike = struck.get(row.pop("pk"))
        if strike:
            row |= {"struck": strike.day, "struck_at": strike.entry.at, "struck_by": strike.entry.author}
            row |= {"struck_act": strike.entry.act, "struck_why": strike.entry.why}
    return rows


def _with_entries(model: Any, pool: models.Pool, which: Q) -> QuerySet[Any]:
    rows: QuerySet[Any] = QuerySet(model)
    noted: QuerySet[Any] = rows.filter(which, pool=pool).annotate(**_ENTRY).order_by("pk")
    return noted


def _fields(model: Any) -> list[str]:
    """The model's own columns: neither its number nor the entry and pool."""
    return [field.name for field in model._meta.fields if field.name not in ("id", "entry", "pool")]  # noqa: SLF001


def _rows(rows: QuerySet[Any], *names: str) -> list[dict[str, Any]]:
    return list(rows.values(*names, *_ENTRY))


def _list_rows(model: Any, pool: models.Pool, which: Q) -> list[dict[str, Any]]:
    """Rows of published lists, with the list's name and revision."""
    rows: QuerySet[Any] = QuerySet(model)
    names = [field for field in _fields(model) if field != "list"]
    named = rows.filter(which, list__pool=pool).order_by("list__number", "pk")
    return list(named.values(*names, of_list=F("list__name"), revision=F("list__revision")))


def _reports(pool: models.Pool, player_id: str) -> list[dict[str, Any]]:
    """The reports in which somebody was decided to be this player, or that brought games of theirs."""
    games = models.Game.objects.filter(Q(white=player_id) | Q(black=player_id), pool=pool)
    mine = Q(decisions__player_id=player_id) | Q(steps__entry__in=games.values("entry"))
    rows = models.Report.objects.filter(mine, pool=pool).order_by("pk").distinct()
    return [dict(row) for row in rows.values("pk", "received_at", "author", "club_id", "source", "state")]


def _inquiries(pool: models.Pool, player_id: str) -> list[dict[str, Any]]:
    rows = models.Inquiry.objects.filter(pool=pool).order_by("pk")
    found = rows.values(
        "day",
        "recorded_on",
        "recorded_by",
        "confirmed_by",
        "confirmed_at",
        "asked_by",
        "about",
        "state",
        "draft",
    )
    mine = (row for row in found if player_id in row["about"].split() or _names(row["draft"], player_id))
    return [dict(row) for row in mine]


def _objections(pool: models.Pool, player_id: str) -> list[dict[str, Any]]:
    """What was written about the player or a game of theirs; the e-mail address where it is theirs."""
    mine = Q(player_id=player_id) | Q(opponent_id=player_id)
    rows = models.Objection.objects.filter(mine, inquiry__pool=pool).order_by("pk")
    own = models.Contact.objects.filter(pool=pool, player_id=player_id).exclude(email="")
    known = set(own.values_list("email", flat=True))
    names = ("received_at", "subject", "event_id", "round", "opponent_id", "change", "right", "email")
    found = rows.values(*names, about=F("inquiry__about"), state=F("inquiry__state"))
    return [row if row["email"] in known else row | {"email": ""} for row in found]


def _acts(pool: models.Pool, player_id: str) -> list[dict[str, Any]]:
    """The acts of the journal whose facts name the player."""
    acts = models.JournalEntry.objects.filter(pool=pool).order_by("pk")
    rows = acts.values("at", "who", "act", "what").iterator()
    return [dict(row) for row in rows if _names(row["what"], player_id)]


def _names(value: Any, player_id: str) -> bool:
    if isinstance(value, dict):
        return any(_names(each, player_id) for each in value.values())
    if isinstance(value, list):
        return any(_names(each, player_id) for each in value)
    return bool(value == player_id)


def personal_zip(
    pool: models.Pool, player_id: str, parts: dict[str, list[dict[str, Any]]], page: str, actor: Actor
) -> bytes:
    """A member's data as a zip: JSON for programs, the page for people. The journal notes who took it."""
    document = json.dumps(
        {"pool": pool.slug, "member": player_id} | parts, ensure_ascii=False, indent=1, default=str
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as folder:
        folder.writestr("held.json", document + "\n")
        folder.writestr("held.html", page)
    note(actor, MEMBER, pool, member=player_id)
    return packed.getvalue()
