"""An invoice in the words of its reader, for the page and the PDF."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext

from banzuke.book.models import OfficeSettings
from banzuke.book.reading import last_entry, rules_of
from banzuke.core.month import parse_month
from banzuke.desk.fees import club_names, window
from banzuke.formats.invoice_pdf import Paper
from banzuke.rulebooks.ncs_fees import FEE_YEN

if TYPE_CHECKING:
    from banzuke.book.models import Invoice

CLAUSE = "NCS 3(4)"


def yen(amount: int) -> str:
    """An amount with its thousands set off, and the word for yen."""
    return gettext("%(amount)s yen") % {"amount": f"{amount:,}".replace("-", "−")}


def day(of: date) -> str:
    """A day as the reader writes it."""
    return date_format(of, "DATE_FORMAT")


def printed(made: Invoice) -> Paper:
    """The invoice as it is printed."""
    club = club_names(made.pool).get(made.club_id, made.club_id) or gettext("No organiser named")
    return Paper(
        lang=(get_language() or "en")[:2],
        title=gettext("Invoice No. %(number)s") % {"number": made.number},
        to=gettext("To %(club)s") % {"club": club},
        sender="\n".join(filter(None, [_pool_name(made), _address()])),
        facts=_facts(made),
        columns=[
            gettext("Event"),
            gettext("Days"),
            gettext("Participants"),
            gettext("Charged"),
            gettext("Yen"),
        ],
        rows=[_row(line) for line in made.lines],
        sum=(gettext("Rating renewal fees"), yen(made.amount)),
        note=gettext(
            "%(clause)s: %(yen)s yen a participant and event; at a club's meetings each participant is paid "
            "for once a window. Results are rated when the payment is seen by the day above."
        )
        % {"clause": CLAUSE, "yen": FEE_YEN},
    )


def _pool_name(made: Invoice) -> str:
    return rules_of(made.pool, last_entry(made.pool)).name


def _address() -> str:
    settings = OfficeSettings.objects.first()
    return settings.address.strip() if settings else ""


def _facts(made: Invoice) -> list[tuple[str, str]]:
    of = window(made.pool, made.window)
    found = [
        (gettext("Date"), day(localtime(made.at).date())),
        (gettext("List"), date_format(parse_month(made.window).first_day, "YEAR_MONTH_FORMAT")),
    ]
    if of is not None:
        found.append((gettext("Window"), f"{day(of.opens)} – {day(of.closes)}"))
        found.append((gettext("To be paid by"), day(of.pay_by)))
    return found


def _row(line: dict[str, Any]) -> list[str]:
    starts, ends = date.fromisoformat(line["starts"]), date.fromisoformat(line["ends"])
    days = day(starts) if starts == ends else f"{day(starts)} – {day(ends)}"
    return [line["name"], days, str(line["participants"]), str(line["charged"]), f"{line['yen']:,}"]
