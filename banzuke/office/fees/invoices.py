"""Invoices for what clubs owe, the payments that come for them, and fees that are waived.

An invoice is never changed. What is due on it may become less (an event was excluded, its fee waived, a game
struck); what is owed beyond the invoices that there are goes on a further one.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max, Prefetch, Sum

from banzuke.core import facts
from banzuke.core.facts import ACCEPT_LATE, EXCLUDE, INCLUDE, WAIVE_FEE
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import Event, Invoice, Payment, Pool
from banzuke.office import notices
from banzuke.office.fact_rows import record_of, replace, standing_rows, with_values
from banzuke.office.fees import dues
from banzuke.office.fees.dues import ClubDues, EventFee, FeeWindow
from banzuke.office.journal import Actor, note
from banzuke.office.lists.coming_list import day_of_change
from banzuke.office.refusals import NotedPaymentError, refuse_outdated
from banzuke.office.register import clubs

INVOICE, PAID, SETTLED = "invoice", "payment", "settle-invoice"
WAIVED, DEMANDED = "waive-fee", "fee-not-waived"
#: What a ruling becomes when the fee is waived: `include` lifts both lateness and the fee.
WAIVING: Mapping[str, str] = {"": WAIVE_FEE, ACCEPT_LATE: INCLUDE}
DEMANDING: Mapping[str, str] = {after: before for before, after in WAIVING.items()}


class NothingOwedError(Exception):
    """The club owes nothing for the window beyond the invoices that it has."""


class TooMuchTakenBackError(Exception):
    """More would be taken back than was paid."""


class InvoiceState(NamedTuple):
    """Where an invoice stands: what is due on it now, and what was paid.

    `is_unmarked`: an event that owes a fee is on it and is not marked paid. `marked` are the events that owe
    a fee and are marked paid by this invoice.
    """

    invoice: Invoice
    due: int
    paid: int
    is_unmarked: bool = False
    marked: Collection[str] = ()

    @property
    def open(self) -> int:
        """What is still to pay; below nothing where too much was paid."""
        return self.due - self.paid

    @property
    def over(self) -> int:
        """What was paid too much."""
        return max(-self.open, 0)

    @property
    def is_to_settle(self) -> bool:
        """Whether its events are marked otherwise than it stands, as more or less became due since."""
        return self.is_unmarked if self.open <= 0 else bool(self.marked)


class ClubAccount(NamedTuple):
    """A club and window: what is owed, the invoices there are, the lines of the one still to make.

    `paid_by_others` are the events that are marked paid by an invoice of the club that was their organiser.
    """

    owed: ClubDues
    states: list[InvoiceState]
    lines: list[dict[str, Any]]
    paid_by_others: Collection[str] = ()

    @property
    def to_invoice(self) -> int:
        """Yen that are on no invoice yet."""
        return sum(line["yen"] for line in self.lines)

    @property
    def open(self) -> int:
        """Yen that are invoiced and not paid."""
        return sum(state.open for state in self.states)


def accounts(pool: Pool, window: FeeWindow, club_ids: Collection[str] | None = None) -> list[ClubAccount]:
    """The accounts of a window's clubs, also of one that has invoices and no event any more."""
    made = invoices_of(pool).filter(window=window.name).order_by("number")
    by_club: dict[str, list[Invoice]] = {}
    for invoice in made if club_ids is None else made.filter(club_id__in=club_ids):
        by_club.setdefault(invoice.club_id, []).append(invoice)
    found = dues.club_dues(pool, window, club_ids)
    names = clubs.names(pool) if by_club else {}
    known = {club.club_id for club in found}
    found += [dues.ClubDues(club, names.get(club, club), []) for club in by_club if club not in known]
    marks = _marks(pool, found)
    return [_account_of(club, by_club.get(club.club_id, []), marks) for club in found]


def _account_of(owed: ClubDues, invoices: list[Invoice], marks: Mapping[str, Invoice]) -> ClubAccount:
    """A club's account; `marks` as `_marks` gives them."""
    others = _paid_by_others(owed, marks)
    return ClubAccount(owed, _states(owed, invoices, marks), _lines(owed, invoices, others), others)


def _marks(pool: Pool, found: Iterable[ClubDues]) -> dict[str, Invoice]:
    """By event the invoice by which it is marked paid; not where a ledger or a correction says that it is."""
    paid = {event.row.event_id: event.row.paid for club in found for event in club.events if event.row.paid}
    entered = Event.objects.filter(pool=pool, event_id__in=paid, entry__act=PAID, paid__isnull=False)
    rows = entered.order_by("pk").values_list("event_id", "paid", "entry__why")
    numbers = {event: int(said) for event, day, said in rows if day == paid[event] and said.isdecimal()}
    made = Invoice.objects.filter(pool=pool, number__in=set(numbers.values()))
    by_number = {invoice.number: invoice for invoice in made}
    return {event: by_number[number] for event, number in numbers.items() if number in by_number}


def _paid_by_others(owed: ClubDues, marks: Mapping[str, Invoice]) -> set[str]:
    """The events that are marked paid by an invoice of a club that is not their organiser any more."""
    events = {event.row.event_id for event in owed.events}
    return {event for event in events & marks.keys() if marks[event].club_id != owed.club_id}


def invoices_of(pool: Pool) -> Any:
    """The pool's invoices with their payments, newest first."""
    payments = Prefetch("payments", Payment.objects.order_by("pk"))
    return Invoice.objects.filter(pool=pool).prefetch_related(payments).order_by("-number")


def paid_on(invoice: Invoice) -> int:
    """What was paid on an invoice."""
    return sum(payment.amount for payment in invoice.payments.all())


def states(pool: Pool, made: list[Invoice]) -> list[InvoiceState]:
    """Where invoices of the pool stand, in their order."""
    found: dict[int, InvoiceState] = {}
    for name in {invoice.window for invoice in made}:
        window = dues.find_window(pool, name)
        wanted = {invoice.club_id for invoice in made if invoice.window == name}
        for account in accounts(pool, window, wanted) if window else ():
            found |= {state.invoice.pk: state for state in account.states}
    # rules that were changed since know no fees of a window: its invoices stand as they were written
    return [
        found.get(invoice.pk) or InvoiceState(invoice, invoice.amount, paid_on(invoice)) for invoice in made
    ]


def state_of(made: Invoice) -> InvoiceState:
    """Where one invoice stands."""
    return states(made.pool, [made])[0]


def _states(owed: ClubDues, invoices: list[Invoice], marks: Mapping[str, Invoice]) -> list[InvoiceState]:
    """What is owed now, handed out over the invoices in their order, no line more than it says."""
    left = {event.row.event_id: event.yen for event in owed.events}
    owing = [event.row for event in owed.events if not event.free]
    unmarked = {row.event_id for row in owing if not row.paid}
    found = []
    for invoice in invoices:
        due = 0
        for line in invoice.lines:
            part = min(line["yen"], left.get(line["event"], 0))
            left[line["event"]] = left.get(line["event"], 0) - part
            due += part
        is_unmarked = any(line["event"] in unmarked for line in invoice.lines)
        marked = {row.event_id for row in owing if marks.get(row.event_id) == invoice}
        found.append(InvoiceState(invoice, due, paid_on(invoice), is_unmarked, marked))
    return found


def _lines(owed: ClubDues, invoices: Iterable[Invoice], others: Collection[str]) -> list[dict[str, Any]]:
    """What a further invoice would say: events on none, and what an event costs more than was invoiced."""
    billed: dict[str, int] = {}
    for invoice in invoices:
        for line in invoice.lines:
            billed[line["event"]] = billed.get(line["event"], 0) + line["yen"]
    lines = (_line(event, billed, is_paid_by_other=event.row.event_id in others) for event in owed.events)
    return [line for line in lines if line is not None]


def _line(event: EventFee, billed: Mapping[str, int], *, is_paid_by_other: bool) -> dict[str, Any] | None:
    row = event.row
    more = event.yen - billed.get(row.event_id, 0)
    is_paid = row.paid and not is_paid_by_other
    if event.free or (is_paid and row.event_id not in billed) or (row.event_id in billed and more <= 0):
        return None
    return {
        "event": row.event_id,
        "name": row.name,
        "starts": row.starts.isoformat(),
        "ends": row.ends.isoformat(),
        "form": row.form,
        "participants": event.participants,
        "charged": event.charged,
        "yen": more,
    }


def create_invoice(pool: Pool, window: FeeWindow, club_id: str, actor: Actor, today: date) -> Invoice:
    """A new invoice for what the club owes and was not yet invoiced. Raises NothingOwedError.

    Where it comes to nothing (all who came were paid for at an earlier meeting) its events are paid. An event
    that another club paid for, which was its organiser then, is unpaid from now on.
    """
    with transaction.atomic():
        Pool.objects.select_for_update().get(pk=pool.pk)
        account = _account(pool, window, club_id)
        lines, amount = account.lines, account.to_invoice
        if not lines:
            raise NothingOwedError(club_id)
        last = Invoice.objects.filter(pool=pool).aggregate(last=Max("number"))["last"] or 0
        made = Invoice.objects.create(
            pool=pool,
            number=last + 1,
            club_id=club_id,
            window=window.name,
            lines=lines,
            amount=amount,
            at=datetime.now(UTC),
            author=actor.name,
        )
        note(actor, INVOICE, pool, number=made.number, club=club_id, window=window.name, amount=amount)
        notices.notify_of_invoice(made)
        if amount == 0:
            mark_paid(made, today, actor, today)
        else:
            mark_paid(made, None, actor, today, events=account.paid_by_others)
    return made


def _account(pool: Pool, window: FeeWindow, club_id: str) -> ClubAccount:
    """The club's account; an empty one where it has neither events nor invoices."""
    nothing = ClubAccount(dues.ClubDues(club_id, club_id, []), [], [])
    return next(iter(accounts(pool, window, [club_id])), nothing)


def note_payment(
    made: Invoice, amount: int, day: date, text: str, actor: Actor, today: date, known: int | None = None
) -> Payment:
    """Money that came on a day; a negative amount takes back what was noted wrongly.

    The payment that completes an invoice marks its events paid, on the day from which all of it was there;
    one taken back from a complete invoice marks them unpaid. `known` is the last payment that whoever notes
    this one has seen (0: none); where the same one came since, a form was sent twice. Raises
    TooMuchTakenBackError, NotedPaymentError.
    """
    with transaction.atomic():
        Pool.objects.select_for_update().get(pk=made.pool_id)
        same = {} if known is None else {"amount": amount, "day": day, "note": text, "pk__gt": known}
        if same and made.payments.filter(**same).exists():
            raise NotedPaymentError(number=made.number)
        before = state_of(made)
        if before.paid + amount < 0:
            raise TooMuchTakenBackError(made.number)
        payment = Payment.objects.create(
            invoice=made, amount=amount, day=day, note=text, at=datetime.now(UTC), author=actor.name
        )
        note(actor, PAID, made.pool, number=made.number, amount=amount, day=day.isoformat())
        complete = complete_on(made, before.due)
        if before.open - amount <= 0:
            mark_paid(made, complete or day, actor, today)
        elif before.open <= 0:
            mark_paid(made, None, actor, today)
    return payment


def complete_on(made: Invoice, due: int) -> date | None:
    """The day from which at least so much was paid on an invoice; None: it is not."""
    paid, since = 0, None
    for row in Payment.objects.filter(invoice=made).values("day").annotate(sum=Sum("amount")).order_by("day"):
        paid += row["sum"]
        since = (since or row["day"]) if paid >= due else None
    return since


def settle(made: Invoice, actor: Actor, today: date, seen: str = "") -> None:
    """Mark the events of an invoice paid, or unpaid, where more or less became due by a correction.

    An officer does it: what a list is made from never changes by itself. `seen` is what was open on the page.
    Raises OutdatedError where something else is open.
    """
    with transaction.atomic():
        Pool.objects.select_for_update().get(pk=made.pool_id)
        state = state_of(made)
        refuse_outdated(seen, str(state.open))
        if state.is_to_settle:
            note(actor, SETTLED, made.pool, number=made.number)
            _settle(state, actor, today)


def _settle(state: InvoiceState, actor: Actor, today: date) -> None:
    if state.open <= 0:
        mark_paid(state.invoice, complete_on(state.invoice, state.due) or today, actor, today)
    else:
        mark_paid(state.invoice, None, actor, today, state.marked)


def mark_paid(
    made: Invoice, day: date | None, actor: Actor, today: date, events: Collection[str] | None = None
) -> None:
    """Enter the day of payment into the events of an invoice that have none; None takes it back.

    Only into events that are still the club's (of `events`, where they are given), and not where the fee is
    waived.
    """
    names = {line["event"] for line in made.lines}
    rows = standing_rows(made.pool, facts.Event).filter(
        event_id__in=names if events is None else names & set(events),
        organiser=made.club_id,
        paid__isnull=day is not None,
    )
    found = list(rows if day is None else rows.exclude(ruling__in=(EXCLUDE, *DEMANDING)))
    if not found:
        return
    entry = open_entry(made.pool, Act(actor.name, PAID, f"{made.number}"))
    as_of = day_of_change(made.pool, today)
    for row in found:
        replace(entry, row, with_values(record_of(row, facts.Event), paid=day), as_of)


class NothingToWaiveError(Exception):
    """The event is excluded, unknown, or its fee is as it should become."""


def waive_fee(pool: Pool, event_id: str, actor: Actor, why: str, today: date) -> None:
    """Waive the fee of an event; the other events of an invoice on which nothing is left open are then paid.

    Raises NothingToWaiveError.
    """
    with transaction.atomic():
        _change_fee(pool, event_id, WAIVING, Act(actor.name, WAIVED, why), actor, today)
        note(actor, WAIVED, pool, event=event_id, why=why)


def demand_fee(pool: Pool, event_id: str, actor: Actor, why: str, today: date) -> None:
    """Take the waiver of an event's fee back; the events of an invoice that is open again are unpaid.

    Raises NothingToWaiveError.
    """
    with transaction.atomic():
        _change_fee(pool, event_id, DEMANDING, Act(actor.name, DEMANDED, why), actor, today)
        note(actor, DEMANDED, pool, event=event_id, why=why)


def _change_fee(
    pool: Pool, event_id: str, becomes: Mapping[str, str], act: Act, actor: Actor, today: date
) -> None:
    """Change the event's ruling; by what is open then, the events of the club's invoices are marked."""
    entry = open_entry(pool, act)
    row: Event | None = standing_rows(pool, facts.Event).filter(event_id=event_id).last()
    if row is None or row.ruling not in becomes:
        raise NothingToWaiveError(event_id)
    window = dues.window_of(pool, row)
    ruled = with_values(record_of(row, facts.Event), ruling=becomes[row.ruling])
    replace(entry, row, ruled, day_of_change(pool, today))
    for state in _account(pool, window, row.organiser).states if window else ():
        if state.is_to_settle:
            _settle(state, actor, today)
