"""What waits of the fees: clubs to be sent an invoice, invoices that are not paid."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from banzuke.office.fees import dues as desk
from banzuke.office.fees.invoices import accounts
from banzuke.web import access
from banzuke.web.fees.views import window_to_pay
from banzuke.web.pending_work import Waiting

if TYPE_CHECKING:
    from django.http import HttpRequest

    from banzuke.database.models import Pool


def waiting(request: HttpRequest, pool: Pool) -> list[Waiting]:
    """Of the window that is paid for this month: what an officer has to invoice, what a club has to pay."""
    names = desk.windows(pool, localdate())
    of = desk.window(pool, window_to_pay(names, localdate())) if names else None
    if of is None:
        return []
    clubs = access.clubs_of(request, pool)
    found = accounts(pool, of, clubs)
    url = reverse("fees-window", kwargs={"slug": pool.slug, "window": of.name})
    unpaid = sum(state.open > 0 for account in found for state in account.states)
    waits = [Waiting(_("Invoices not paid"), unpaid, url)]
    if clubs is None and localdate() > of.closes:
        to_invoice = sum(bool(account.lines) for account in found)
        waits.append(Waiting(_("Clubs to be sent an invoice"), to_invoice, url))
    return waits
