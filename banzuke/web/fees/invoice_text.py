"""An invoice in the words of its reader, for the page and the PDF."""

from datetime import date
from typing import Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext

from banzuke.database.models import Invoice
from banzuke.exchange.export_headings import list_title
from banzuke.formats.invoice_pdf import Paper
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.fees.dues import FeeWindow, find_window
from banzuke.office.register import clubs
from banzuke.web.page_language import page_language
from banzuke.web.templatetags.banzuke import number, yen


def day(of: date) -> str:
    """A day as the reader writes it."""
    return date_format(of, "DATE_FORMAT")


def invoice_paper(made: Invoice) -> Paper:
    """The invoice as it is printed."""
    club = clubs.names(made.pool).get(made.club_id, made.club_id) or gettext("No organiser named")
    of = find_window(made.pool, made.window)
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
        found.append((gettext("Window"), f"{day(of.opens)} – {day(of.closes)}"))
        found.append((gettext("To be paid by"), day(of.pay_by)))
    return found


def _row(line: dict[str, Any]) -> list[str]:
    starts, ends = date.fromisoformat(line["starts"]), date.fromisoformat(line["ends"])
    days = day(starts) if starts == ends else f"{day(starts)} – {day(ends)}"
    return [line["name"], days, str(line["participants"]), str(line["charged"]), number(line["yen"])]
