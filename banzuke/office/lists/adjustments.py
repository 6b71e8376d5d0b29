"""Adjustments of a chess pool: entered as acts in its book, taken back by later ones, never changed.

An adjustment of a list that is published is one by an inquiry of today: it makes that list and those after it
again, if the book's days for corrections are not over. Whether it was decided, and signed, is not asked here.
"""

from array import array
from collections.abc import Iterable, Sequence
from datetime import date
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.facts import Adjustment
from banzuke.core.fault import Fault, fault, refuse_any
from banzuke.database import models
from banzuke.database.book_reader import MissingBookError, read_table, rules_of
from banzuke.database.book_writer import Act, add_facts, new_entry
from banzuke.database.models import Entry, Pool, RatingList, Strike
from banzuke.ledger.checks import check_chess
from banzuke.ledger.csv_table import cell_faults
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.ledger.records import Rows, standing_records
from banzuke.ledger.schema import CHESS
from banzuke.office.fact_rows import TABLES, record_of, standing_rows, strike_all
from banzuke.office.journal import Actor, note
from banzuke.office.lists.coming_list import day_of_change
from banzuke.office.lists.list_index import find_list, known_until, latest_list
from banzuke.office.refusals import FrozenAdjustmentError, TakenAdjustmentError, UnknownAdjustmentError
from banzuke.office.transparency.office_log import note_adjustments

ADJUST, TAKE_BACK = "adjust", "take-back-adjustment"
TABLE = TABLES[Adjustment]
FILE = f"{TABLE.name}.csv"


class EnteredAdjustment(NamedTuple):
    """An adjustment with the entry that brought it, and the one that took it back (None: it stands)."""

    adjustment: Adjustment
    entry: Entry
    struck_by: Entry | None


def entered_adjustments(pool: Pool) -> list[EnteredAdjustment]:
    """Every adjustment that was ever entered, the earliest first."""
    rows = list(models.Adjustment.objects.filter(pool=pool).select_related("entry").order_by("pk"))
    strikes = Strike.objects.filter(pool=pool, table=TABLE.name).select_related("entry") if rows else ()
    struck = {strike.row: strike for strike in strikes}
    return [_entered(row, struck.get(row.pk)) for row in rows]


def _entered(row: models.Adjustment, strike: Strike | None) -> EnteredAdjustment:
    record: Adjustment = record_of(row, Adjustment)
    if strike is None:
        return EnteredAdjustment(record, row.entry, None)
    return EnteredAdjustment(record._replace(struck=strike.day), row.entry, strike.entry)


def adjustments_of(published: RatingList) -> list[Adjustment]:
    """The adjustments that a published list was made with, in the order in which they were carried out."""
    of_list = Q(list=published.name)
    if not models.Adjustment.objects.filter(of_list, pool=published.pool_id).exists():
        return []
    rows: list[Adjustment] = read_table(published.pool, TABLE, published.entry_id, of_list)
    try:
        known = known_until(published)
    except MissingBookError:  # its days for corrections are not known any more
        known = None
    return sorted(standing_records(rows, known), key=attrgetter("adjustment_id"))


def lists_with_adjustments(lists: Iterable[RatingList]) -> dict[int, list[Adjustment]]:
    """Of lists of one pool those that were adjusted, by their numbers in the database, and how."""
    found = list(lists)
    pools = {each.pool_id for each in found}
    named = set(models.Adjustment.objects.filter(pool__in=pools).values_list("list", flat=True))
    adjusted = {each.pk: adjustments_of(each) for each in found if each.name in named}
    return {number: rows for number, rows in adjusted.items() if rows}


def free_id(pool: Pool) -> str:
    """An id that no adjustment of the pool ever had: A1, A2 and so on."""
    used = set(models.Adjustment.objects.filter(pool=pool).values_list("adjustment_id", flat=True))
    number = len(used) + 1
    while f"A{number}" in used:
        number += 1
    return f"A{number}"


def faults_of(pool: Pool, adjustment: Adjustment) -> list[Fault]:
    """Why an adjustment cannot be entered: what the ledger would be refused for with it."""
    rules = rules_of(pool)
    if rules.is_go:
        return [fault(FILE, 0, "", "go-adjustments")]
    wrong = [found._replace(file=FILE) for found in cell_faults(TABLE, adjustment)]
    return wrong or _faults_of_list(pool, rules, adjustment)


def enter_adjustment(pool: Pool, adjustment: Adjustment, actor: Actor, today: date, why: str = "") -> Entry:
    """Enter an adjustment, whatever days it has of its own; gives the entry.

    Raises RefusedError for one that no ledger can have, TakenAdjustmentError for an id that another one had,
    FrozenAdjustmentError for a list that cannot be changed any more.
    """
    with new_entry(pool, Act(actor.name, ADJUST, why)) as entry:
        refuse_any(faults_of(pool, adjustment))
        if models.Adjustment.objects.filter(pool=pool, adjustment_id=adjustment.adjustment_id).exists():
            raise TakenAdjustmentError(adjustment=adjustment.adjustment_id)
        record = adjustment._replace(added=day_of_adjustment(pool, adjustment.list, today), struck=None)
        add_facts(entry, TABLE, [record])
        note(actor, ADJUST, pool, adjustment=record.adjustment_id, list=record.list, entry=entry.pk)
        note_adjustments(pool)
    return entry


def take_back_adjustment(pool: Pool, adjustment_id: str, actor: Actor, today: date, why: str = "") -> Entry:
    """Take back the adjustment of that id which stands; gives the entry.

    Raises UnknownAdjustmentError, and FrozenAdjustmentError for one whose list cannot be changed any more.
    """
    with new_entry(pool, Act(actor.name, TAKE_BACK, why)) as entry:
        row = standing_rows(pool, Adjustment).filter(adjustment_id=adjustment_id).first()
        if row is None:
            raise UnknownAdjustmentError(adjustment=adjustment_id)
        day_of_adjustment(pool, row.list, today)
        strike_all(entry, Adjustment, [row], day_of_change(pool, today))
        note(actor, TAKE_BACK, pool, adjustment=adjustment_id, list=row.list, entry=entry.pk)
        note_adjustments(pool)
    return entry


def day_of_adjustment(pool: Pool, name: str, today: date) -> date | None:
    """The day that an adjustment of that list carries; None: the list is not published yet.

    Raises FrozenAdjustmentError for a list that no inquiry of today can change.
    """
    published, last = find_list(pool, name), latest_list(pool)
    if published is None and (last is None or not _is_before(pool, name, last)):
        return None
    day = day_of_change(pool, today)
    known = known_until(published) if published else None
    if published is None or (known is not None and day >= known):
        raise FrozenAdjustmentError(list=name)
    return day


def _is_before(pool: Pool, name: str, last: RatingList) -> bool:
    """Whether a list that was never published would come before the last one that was."""
    schedule = rules_of(pool).schedule
    if schedule.is_by_event:
        return False
    try:
        return schedule.window_named(name).closes < last.closes
    except (ValueError, OverflowError):  # a name that no list has: whoever checks the row says so
        return False


def _faults_of_list(pool: Pool, rules: Rules, adjustment: Adjustment) -> list[Fault]:
    """The faults of its list and its speed."""
    of_event = standing_rows(pool, facts.Event).filter(event_id=adjustment.list)
    events = [record_of(row, facts.Event) for row in of_event] if rules.schedule.is_by_event else []
    tables = {table.name: Rows(f"{table.name}.csv") for table in CHESS}
    tables["events"], tables[TABLE.name] = _rows("events.csv", events), _rows(FILE, [adjustment])
    found: list[Fault] = []
    check_chess(rules, tables, found)
    return [each._replace(line=0) for each in found if each.file == FILE]


def _rows(file: str, records: Sequence[object]) -> Rows:
    return Rows(file, list(records), array("I", range(1, len(records) + 1)))
