"""The draft of a correction: rows to strike and rows to add, kept with the inquiry until it is carried out.

A draft is a list of changes, in the order in which they were noted:
`{"act": "strike", "table": "games", "row": 12}` and
`{"act": "add", "table": "games", "record": {"event_id": "...", "round": "1", ...}}`, cells as in the ledger,
with `more` where the row has something in columns that its book adds (`database.added_columns`).
"""

import json
from array import array
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from hashlib import sha256
from typing import Any

from django.db import transaction

from banzuke.core import facts
from banzuke.core.facts import NO_MORE
from banzuke.core.fault import Fault
from banzuke.database.added_columns import more_from_json, more_to_json
from banzuke.database.book_reader import MODELS, rules_of
from banzuke.database.book_writer import add_facts
from banzuke.database.models import Correctable, Entry, Inquiry, Pool
from banzuke.ledger.cells import Kind
from banzuke.ledger.checks import check_chess
from banzuke.ledger.folder import ChessLedger, Ledger, records_of
from banzuke.ledger.records import MORE, Rows, by_event, value_of
from banzuke.ledger.schema import CHESS, Table, tables_of
from banzuke.office.erased_ids import is_erased
from banzuke.office.fact_rows import TABLES, day_for, record_of, standing_rows, strike, with_values
from banzuke.office.journal import by_whom
from banzuke.office.refusals import (
    AlreadyDraftedError,
    DraftChangedError,
    EmptyDraftError,
    ErasedMemberError,
    InquiryClosedError,
    StaleDraftError,
    refuse_outdated,
)

#: What an inquiry can correct.
CORRECTED = {
    TABLES[record].name: record for record in (facts.Player, facts.Membership, facts.Event, facts.Game)
}
STRIKE, ADD = "strike", "add"


def lock_open_inquiry(inquiry: Inquiry) -> Inquiry:
    """The inquiry as it is now, locked until the transaction ends. Raises InquiryClosedError."""
    found = Inquiry.objects.select_for_update().get(pk=inquiry.pk)
    check_inquiry_open(found)
    return found


def check_inquiry_open(inquiry: Inquiry) -> None:
    """Raises InquiryClosedError for an inquiry that was carried out, dismissed or withdrawn."""
    if inquiry.state != Inquiry.State.OPEN:
        step = inquiry.steps.latest("pk")
        raise InquiryClosedError(**by_whom(step.author or inquiry.asked_by, step.at))


@contextmanager
def _locked_draft(inquiry: Inquiry) -> Iterator[list[dict[str, Any]]]:
    """The draft as it is now, to be changed and saved: nobody else drafts meanwhile."""
    with transaction.atomic():
        found = lock_open_inquiry(inquiry)
        yield found.draft
        found.save(update_fields=["draft"])
    inquiry.draft = found.draft


def draft_strike(inquiry: Inquiry, table: str, row: int) -> None:
    """Note that a standing row is to be struck; of an event its games and one-event memberships as well.

    Raises StaleDraftError where none of that number stands, AlreadyDraftedError, InquiryClosedError.
    """
    with _locked_draft(inquiry) as draft:
        found = _standing(inquiry, table, row)
        _strike_in(draft, table, row)
        if CORRECTED[table] is facts.Event:
            drafted_rows = {(change["table"], change.get("row")) for change in draft}
            rows = [
                (TABLES[record].name, each.pk)
                for record in (facts.Game, facts.Membership)
                for each in standing_rows(inquiry.pool, record).filter(event_id=found.event_id)
            ]
            draft.extend(_strike_of(*each) for each in rows if each not in drafted_rows)


def _standing(inquiry: Inquiry, table: str, row: int) -> Any:
    found = standing_rows(inquiry.pool, CORRECTED[table]).filter(pk=row).first()
    if found is None:
        raise StaleDraftError(table=table)
    return found


def _strike_of(table: str, row: int) -> dict[str, Any]:
    return {"act": STRIKE, "table": table, "row": row}


def _strike_in(draft: list[dict[str, Any]], table: str, row: int) -> None:
    if any(change["table"] == table and change.get("row") == row for change in draft):
        raise AlreadyDraftedError
    draft.append(_strike_of(table, row))


def draft_add(inquiry: Inquiry, record: Any) -> None:
    """Note that a row is to be added. Raises InquiryClosedError, ErasedMemberError."""
    with _locked_draft(inquiry) as draft:
        _check_not_erased(inquiry, record)
        draft.append(_addition_of(record))


def _addition_of(record: Any) -> dict[str, Any]:
    table = TABLES[type(record)]
    more = more_to_json(getattr(record, MORE, NO_MORE))
    added = {"act": ADD, "table": table.name, "record": cells_of(table, record)}
    return added | {MORE: more} if more else added


def draft_change(inquiry: Inquiry, table: str, row: int, **changed: Any) -> None:
    """Note that a standing row is to be struck, and added again with other values in those columns.

    Raises as `draft_strike` does, and ErasedMemberError.
    """
    with _locked_draft(inquiry) as draft:
        found = _standing(inquiry, table, row)
        record = with_values(record_of(found, CORRECTED[table]), added=None, **changed)
        _check_not_erased(inquiry, record)
        _strike_in(draft, table, row)
        draft.append(_addition_of(record))


def _check_not_erased(inquiry: Inquiry, record: Any) -> None:
    """Nothing is entered about who was erased. Raises ErasedMemberError."""
    if isinstance(record, facts.Player) and is_erased(inquiry.pool, record.player_id):
        raise ErasedMemberError(player=record.player_id)


def remove_changes(inquiry: Inquiry, first: int, count: int = 1, seen: str = "") -> None:
    """Take changes, by their place from 0, out of the draft.

    `seen` is the `hash_of_draft` that somebody chose them in. Raises DraftChangedError where the draft
    is another by now, InquiryClosedError.
    """
    with _locked_draft(inquiry) as draft:
        refuse_outdated(seen, hash_of_draft(draft), DraftChangedError)
        if first + count > len(draft):
            raise DraftChangedError
        del draft[first : first + count]


def hash_of_draft(draft: list[dict[str, Any]]) -> str:
    """The SHA-256 by which a page's draft is known."""
    return sha256(json.dumps(draft, sort_keys=True).encode()).hexdigest()


def correctable_columns(table: Table) -> dict[str, Kind]:
    """The columns of a table that a correction can say: all but the inquiry's days."""
    return {name: kind for name, kind in table.columns.items() if name not in ("added", "struck")}


def table_in(pool: Pool, table: str) -> Table:
    """A table that can be corrected, with the columns that the pool's books add to it."""
    known = TABLES[CORRECTED[table]]
    found = next(each for each in tables_of(rules_of(pool)) if each.name == table)
    added = {name: found.columns[name] for name in found.columns if name in found.added}
    return known._replace(columns={**known.columns, **added}, added=found.added)


def cells_of(table: Table, record: Any) -> dict[str, str]:
    """A record's cells that are not blank, as the ledger writes them."""
    kinds = correctable_columns(table)
    values = {name: value_of(record, table, name) for name in kinds}
    return {name: kinds[name].write(v) for name, v in values.items() if v not in (None, kinds[name].blank)}


def record_from(change: dict[str, Any]) -> Any:
    """The record that a change adds."""
    table = TABLES[CORRECTED[change["table"]]]
    kinds = correctable_columns(table)
    written = change["record"]
    record = table.record(**{n: k.read(written[n]) if n in written else k.blank for n, k in kinds.items()})
    return with_values(record, more=more_from_json(change[MORE])) if MORE in change else record


def struck_row(inquiry: Inquiry, change: dict[str, Any]) -> Correctable:
    """The row that a change strikes."""
    model: Any = MODELS[CORRECTED[change["table"]]]
    row: Correctable = model.objects.get(pk=change["row"], pool=inquiry.pool)
    return row


def apply_draft(inquiry: Inquiry, ledger: Ledger) -> ChessLedger:
    """The ledger with the draft carried out.

    Raises EmptyDraftError, and StaleDraftError for a row that was struck meanwhile.
    """
    if not inquiry.draft or not isinstance(ledger, ChessLedger):
        raise EmptyDraftError
    tables = {table.name: list(records_of(ledger, table)) for table in CHESS}
    for change, day in zip(inquiry.draft, _days(inquiry), strict=True):
        rows = tables[change["table"]]
        if change["act"] == ADD:
            rows.append(with_values(record_from(change), added=day))
        else:
            _strike(rows, record_of(struck_row(inquiry, change), CORRECTED[change["table"]]), day)
    games = by_event(tables.pop("games"))
    return ChessLedger(ledger.pool, games=games, **tables)


def _days(inquiry: Inquiry) -> list[date]:
    """The day that each change of the draft carries: the inquiry's, but none before the row it changes.

    A row that came in another's place since the inquiry (an event was paid, a member's name corrected) is
    changed as of that day; what is added in its place has the same day.
    """
    days: list[date] = []
    before: tuple[str, Any] | None = None
    for change in inquiry.draft:
        is_strike = change["act"] == STRIKE
        row = struck_row(inquiry, change) if is_strike else record_from(change)
        place = change["table"], getattr(row, next(iter(TABLES[CORRECTED[change["table"]]].columns)))
        if is_strike:
            days.append(day_for(row, inquiry.counted_day))
        else:
            days.append(days[-1] if place == before else inquiry.counted_day)
        before = place if is_strike else None
    return days


def _strike(rows: list[Any], record: Any, day: date) -> None:
    try:
        place = rows.index(record)
    except ValueError:
        raise StaleDraftError(table=TABLES[type(record)].name) from None
    rows[place] = with_values(record, struck=day)


def faults_of(ledger: ChessLedger) -> list[Fault]:
    """The faults that the ledger would be refused for."""
    tables = {}
    for table in CHESS:
        records = records_of(ledger, table)
        tables[table.name] = Rows(f"{table.name}.csv", records, array("I", range(2, len(records) + 2)))
    found: list[Fault] = []
    check_chess(ledger.pool, tables, found)
    return found


def enter_draft(inquiry: Inquiry, entry: Entry) -> None:
    """Write the draft's changes into the book. Raises IntegrityError for a row that is struck already."""
    for change, day in zip(inquiry.draft, _days(inquiry), strict=True):
        record = CORRECTED[change["table"]]
        if change["act"] == ADD:
            add_facts(entry, TABLES[record], [with_values(record_from(change), added=day)])
        else:
            strike(entry, record, change["row"], day)
