"""Invoices: making them, their text for the page and the PDF, noting what was paid."""

from datetime import date
from importlib.util import find_spec
from io import BytesIO
from typing import Any

from django import forms
from django.contrib import messages
from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect
from django.utils.timezone import localdate, localtime
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.database.models import Invoice, Pool
from banzuke.formats import invoice_pdf
from banzuke.formats.invoice_pdf import Paper
from banzuke.formats.pdf_fonts import NoFontError
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.fees import invoices as club_invoices
from banzuke.office.fees.dues import FeeWindow
from banzuke.office.fees.dues import find_window as find_fee_window
from banzuke.office.refusals import NotedPaymentError
from banzuke.office.register import clubs
from banzuke.web import access
from banzuke.web.fees.views import find_window
from banzuke.web.form_fields import day_field
from banzuke.web.shortcuts import page_language, page_of, pool_page, show_refusal
from banzuke.web.templatetags.banzuke import day, days_text, number, yen
from banzuke.words import list_title


def invoice_paper(made: Invoice) -> Paper:
    """The invoice as it is printed."""
    club = clubs.names(made.pool).get(made.club_id, made.club_id) or gettext("No organiser named")
    of = find_fee_window(made.pool, made.window)
    return Paper(
        lang=(get_language() or "en")[:2],
        title=gettext("Invoice No. %(number)s") % {"number": made.number},
        to=gettext("To %(club)s") % {"club": club},
        sender="\n".join(filter(None, [made.pool.name, office_settings().address.strip()])),
        facts=_facts(made, of),
        columns=[
            gettext("Event"),
            gettext("Days"),
            gettext("Participants"),
            gettext("Charged"),
            gettext("Yen"),
        ],
        rows=[_row(line) for line in made.lines],
        sum=(gettext("Rating renewal fees"), yen(made.amount)),
        note="" if of is None else _note(of),
    )


def _note(of: FeeWindow) -> str:
    return gettext(
        "%(clause)s: %(yen)s yen a participant and event; at a club's meetings each participant is paid "
        "for once a window. Results are rated when the payment is seen by the day above."
    ) % {"clause": of.fees.clause, "yen": of.fees.amount}


def _facts(made: Invoice, of: FeeWindow | None) -> list[tuple[str, str]]:
    found = [
        (gettext("Date"), day(localtime(made.at).date())),
        (gettext("List"), list_title(made.window, page_language())),
    ]
    if of is not None:
        found.append((gettext("Window"), days_text(of.opens, of.closes)))
        found.append((gettext("To be paid by"), day(of.pay_by)))
    return found


def _row(line: dict[str, Any]) -> list[str]:
    starts, ends = date.fromisoformat(line["starts"]), date.fromisoformat(line["ends"])
    return [
        line["name"],
        days_text(starts, ends),
        str(line["participants"]),
        str(line["charged"]),
        number(line["yen"]),
    ]


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
    #: The last payment that the page shows: the same form sent twice is known by it.
    known = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0, max_value=2**63 - 1)

    def __init__(self, *args: Any, today: date, **words: Any) -> None:
        super().__init__(*args, **words)
        self._today = today

    def clean_amount(self) -> int:
        """An amount other than 0."""
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


def _visible_invoices(request: HttpRequest, pool: Pool) -> Any:
    """The invoices that the visitor may see: an officer all, a reporter those of the reporter's clubs."""
    own, found = access.clubs_of(request, pool), club_invoices.invoices_of(pool)
    return found if own is None else found.filter(club_id__in=own)


def _find_invoice(request: HttpRequest, pool: Pool, number: int) -> Invoice:
    found: Invoice = get_object_or_404(_visible_invoices(request, pool), number=number)
    return found


@access.reporter
def invoices(request: HttpRequest, pool: Pool) -> HttpResponse:
    """All invoices, newest first."""
    page = page_of(request, _visible_invoices(request, pool))
    names = clubs.names(pool)
    shown = [
        (names.get(s.invoice.club_id, s.invoice.club_id), s) for s in club_invoices.states(pool, list(page))
    ]
    return pool_page(request, "fees/invoices.html", pool, page=page, shown=shown)


@access.officer
@require_POST
def make(request: HttpRequest, pool: Pool, window: str) -> HttpResponse:
    """A new invoice for a club and window."""
    of = find_window(pool, window)
    try:
        made = club_invoices.create_invoice(
            pool, of, request.POST.get("club", ""), access.actor(request), localdate()
        )
    except club_invoices.NothingOwedError:
        messages.warning(
            request, gettext("There is nothing to invoice: everything the club owes has been invoiced.")
        )
        return redirect("fees-window", slug=pool.slug, window=window)
    messages.success(request, gettext("Invoice %(number)s is made.") % {"number": made.number})
    return redirect("fees-invoice", slug=pool.slug, number=made.number)


@access.reporter
def invoice(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """One invoice, with what was paid on it."""
    return _page(request, pool, _find_invoice(request, pool, number))


def _page(request: HttpRequest, pool: Pool, made: Invoice, form: PaymentForm | None = None) -> HttpResponse:
    state, today = club_invoices.state_of(made), localdate()
    last = made.payments.order_by("pk").last()
    initial = {"day": today, "amount": max(state.open, 0) or None, "known": last.pk if last else 0}
    form = form or PaymentForm(today=today, initial=initial)
    printed = invoice_paper(made)
    rows = [list(zip(printed.columns, row, strict=True)) for row in printed.rows]
    context = {"invoice": made, "paper": printed, "rows": rows, "state": state, "form": form}
    may = {"is_officer": access.clubs_of(request, pool) is None, "has_pdf": find_spec("typst") is not None}
    return pool_page(request, "fees/invoice.html", pool, **context, **may)


@access.reporter
def paper(request: HttpRequest, pool: Pool, number: int) -> HttpResponseBase:
    """The invoice as a PDF in the page's language."""
    made = _find_invoice(request, pool, number)
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
    made = _find_invoice(request, pool, number)
    form = PaymentForm(request.POST, today=localdate())
    if not form.is_valid():
        return _page(request, pool, made, form)
    values = form.cleaned_data
    try:
        club_invoices.note_payment(
            made, values["amount"], values["day"], values["note"], access.actor(request), localdate(),
            known=values["known"],
        )  # fmt: skip
    except club_invoices.TooMuchTakenBackError:
        form.add_error("amount", gettext("This would undo more than was paid."))
        return _page(request, pool, made, form)
    except NotedPaymentError as refused:
        messages.warning(request, refused.sentence(page_language()))
        return redirect("fees-invoice", slug=pool.slug, number=number)
    messages.success(request, gettext("The payment was recorded."))
    return redirect("fees-invoice", slug=pool.slug, number=number)


@access.officer
@require_POST
def settle(request: HttpRequest, pool: Pool, number: int) -> HttpResponse:
    """Count the events of an invoice as paid, or as not paid, as it stands now."""
    made = _find_invoice(request, pool, number)
    with show_refusal(request):
        club_invoices.settle(made, access.actor(request), localdate(), request.POST.get("open", ""))
        messages.success(request, gettext("Saved."))
    return redirect("fees-invoice", slug=pool.slug, number=number)
