"""What clubs owe for a window, and waiving an event's fee."""

from datetime import date

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.timezone import localdate
from django.utils.translation import gettext

from banzuke.core import facts
from banzuke.core.facts import INCLUDE, WAIVE_FEE
from banzuke.core.month import month_of
from banzuke.core.rulebook import ChessBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Role
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.office.fact_rows import standing_rows
from banzuke.office.fees import dues, invoices
from banzuke.office.fees.invoices import ClubAccount, accounts
from banzuke.web import access
from banzuke.web.form_fields import reason_field
from banzuke.web.shortcuts import found_or_404, pool_page

#: How many windows stand in the page's tabs; the others are behind "earlier windows".
RECENT = 6


def window_to_pay(names: list[str], today: date) -> str:
    """The window that is paid for this month, else the newest that there is."""
    current = str(month_of(today).plus(1))
    return current if current in names else names[0]


@access.reporter
def fees(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The window that is paid for this month."""
    names = dues.window_names(pool, localdate())
    if not names:
        editions = rules_of(pool).editions
        return pool_page(request, "fees/none.html", pool, editions=editions)
    return _window_page(request, pool, window_to_pay(names, localdate()))


@access.reporter
def window(request: HttpRequest, pool: Pool, window: str) -> HttpResponse:
    """What is owed for one window."""
    return _window_page(request, pool, window)


def find_window(pool: Pool, name: str) -> dues.FeeWindow:
    """The window of that name. Raises Http404 where there is none with fees."""
    if name not in dues.window_names(pool, localdate()):
        raise Http404
    return found_or_404(dues.find_window(pool, name))


def _window_page(request: HttpRequest, pool: Pool, name: str) -> HttpResponse:
    of = find_window(pool, name)
    names = dues.window_names(pool, localdate())
    clubs = access.clubs_of(request, pool)
    found = accounts(pool, of, clubs)
    context = {"of": of, "accounts": found, "sums": _sums(found), "is_closed": localdate() > of.closes}
    context |= {"last_with_fees": names[0], "without_fees": _edition_without_fees(pool)}
    tabs = {"recent": _recent(names, name), "earlier": names[RECENT:]}
    may = {"is_officer": clubs is None, "is_chief": access.has_role(request, Role.Kind.CHIEF, pool)}
    return pool_page(request, "fees/window.html", pool, **context, **tabs, **may)


def _edition_without_fees(pool: Pool) -> EditionInForce | None:
    """The edition in force, if it asks no fee any more."""
    edition = rules_of(pool).find_edition(localdate())
    return edition if edition and isinstance(edition.book, ChessBook) and not edition.book.fees else None


def _recent(names: list[str], shown: str) -> list[str]:
    """The windows in the tabs: the last ones, and the one that is shown."""
    return names[:RECENT] + [name for name in names[RECENT:] if name == shown]


def _sums(found: list[ClubAccount]) -> dict[str, int]:
    return {
        "owed": sum(account.owed.yen for account in found),
        "to_invoice": sum(account.to_invoice for account in found),
        "open": sum(account.open for account in found),
        "unpaid": sum(event.is_unpaid for account in found for event in account.owed.events),
    }


class WaiverForm(forms.Form):
    """Why the fee of an event is waived, or demanded after all."""

    why = reason_field(1000)


@access.chief
def waiver(request: HttpRequest, pool: Pool, event_id: str) -> HttpResponse:
    """Waive an event's fee, or take that back."""
    row = get_object_or_404(standing_rows(pool, facts.Event), event_id=event_id)
    of = found_or_404(dues.window_of(pool, row))
    is_waived = row.ruling in (WAIVE_FEE, INCLUDE)
    form = WaiverForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        _decide(request, pool, event_id, is_waived=is_waived, why=form.cleaned_data["why"])
        return redirect("fees-window", slug=pool.slug, window=of.name)
    return pool_page(request, "fees/waiver.html", pool, event=row, of=of, is_waived=is_waived, form=form)


def _decide(request: HttpRequest, pool: Pool, event_id: str, *, is_waived: bool, why: str) -> None:
    verb = invoices.demand_fee if is_waived else invoices.waive_fee
    try:
        verb(pool, event_id, access.actor(request), why, localdate())
    except invoices.NothingToWaiveError:
        messages.warning(
            request, gettext("Nothing was changed: the event is excluded, or its fee is so already.")
        )
    else:
        done = gettext("The waiver was cancelled.") if is_waived else gettext("The fee is waived.")
        messages.success(request, done)
