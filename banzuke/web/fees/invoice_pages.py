"""Invoices: making them, showing and printing them, noting what was paid."""

from datetime import date
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.http import FileResponse, Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.timezone import localdate
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.database.models import Invoice, Pool
from banzuke.formats import invoice_pdf
from banzuke.formats.pdf_fonts import NoFontError
from banzuke.office.fees import invoices as desk
from banzuke.office.register import clubs
from banzuke.web import access
from banzuke.web.fees.invoice_text import invoice_paper
from banzuke.web.fees.views import find_window
from banzuke.web.form_fields import day_field

A_PAGE = 50
#: More than any club ever owes, and what every database holds.
MOST_YEN = 100_000_000


class PaymentForm(forms.Form):
    """Money that came: how much, on which day."""

    amount = forms.IntegerField(
        label=_("Amount in yen"),
        min_value=-MOST_YEN,
        max_value=MOST_YEN,
        help_text=_("To undo a wrong payment, record the same amount with a minus sign."),
    )
    day = day_field(_("Day of payment"))
    note = forms.CharField(label=_("Note"), required=False, max_length=500)

    def __init__(self, *args: Any, today: date, **words: Any) -> None:
        super().__init__(*args, **words)
        self._today = today

    def clean_amount(self) -> int:
        """A payment of nothing says nothing."""
        amount: int = self.cleaned_data["amount"]
        if amount == 0:
            raise forms.ValidationError(gettext("Enter the amount."))
        return amount

    def clean_day(self) -> date:
        """Only what came is noted."""
        day: date = self.cleaned_data["day"]
        if day > self._today:
            raise forms.ValidationError(
                gettext("That day has not come yet. Record the payment when it has arrived.")
            )
        return day


def _own(request: HttpRequest, pool: Pool) -> Any:
    """The invoices that the visitor may see: an officer all, a reporter those of the reporter's clubs."""
    own, found = access.clubs_of(request, pool), desk.invoices_of(pool)
    return found if own is None else found.filter(club_id__in=own)


def _find(request: HttpRequest, pool: Pool, number: int) -> Invoice:
    found: Invoice | None = _own(request, pool).filter(number=number).first()
    if found is None:
        raise Http404
    return found


@access.reporter
def invoices(request: HttpRequest, pool: Pool) -> HttpResponse:
    """All invoices, newest first."""
    page = Paginator(_own(request, pool), A_PAGE).get_page(request.GET.get("page"))
    names = clubs.names(pool)
    shown = [(names.get(s.invoice.club_id, s.invoice.club_id), s) for s in desk.states(pool, list(page))]
    return render(request, "fees/invoices.html", {"pool": pool, "page": page, "shown": shown})


@access.officer
@require_POST
def make(request: HttpRequest, pool: Pool, window: str) -> HttpResponse:
    """A new invoice for a club and window."""
    of = find_window(pool, window)
    try:
        made = desk.create_invoice(pool, of, request.POST.get("club", ""), access.actor(request), localdate())
    except desk.NothingOwedError:
        messages.warning(
            request, gettext("There is nothing to invoice: everything the club owes has been invoiced.")
        )
        return redirect("fees-window", slug=pool.slug, window=window)
    messages.success(request, gettext("Invoice %(number)s is made.") % {"number": made.number})
    return redirect("fees-invoice", slug=pool.slug, number=made.number)


@access.reporter
def invoice(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """One invoice, with what was paid on it."""
    return _page(request, pool, _find(request, pool, number))


def _page(request: HttpRequest, pool: Pool, made: Invoice, form: PaymentForm | None = None) -> HttpResponse:
    state, today = desk.state_of(made), localdate()
    form = form or PaymentForm(today=today, initial={"day": today, "amount": max(state.open, 0) or None})
    context = {"pool": pool, "invoice": made, "paper": invoice_paper(made), "state": state, "form": form}
    context |= {
        "is_officer": access.clubs_of(request, pool) is None,
        "has_pdf": find_spec("typst") is not None,
    }
    return render(request, "fees/invoice.html", context)


@access.reporter
def paper(request: HttpRequest, pool: Pool, number: int) -> HttpResponseBase:
    """The invoice as a PDF in the page's language."""
    made = _find(request, pool, number)
    try:
        data = invoice_pdf.write(invoice_paper(made))
    except (NoFontError, ModuleNotFoundError):
        sorry = gettext(
            "No PDF can be made here (it needs the extra `pdf` and a Japanese font). Print this page."
        )
        messages.warning(request, sorry)
        return redirect("fees-invoice", slug=pool.slug, number=number)
    name = f"invoice-{pool.slug}-{number}-{get_language()}.pdf"
    return FileResponse(BytesIO(data), filename=name)


@access.officer
@require_POST
def pay(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Note a payment."""
    made = _find(request, pool, number)
    form = PaymentForm(request.POST, today=localdate())
    if not form.is_valid():
        return _page(request, pool, made, form)
    values = form.cleaned_data
    try:
        desk.note_payment(
            made, values["amount"], values["day"], values["note"], access.actor(request), localdate()
        )
    except desk.TooMuchTakenBackError:
        form.add_error("amount", gettext("This would undo more than was paid."))
        return _page(request, pool, made, form)
    messages.success(request, gettext("The payment was recorded."))
    return redirect("fees-invoice", slug=pool.slug, number=number)
