"""An invoice in the words of its reader, for the page and the PDF."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext

from banzuke.core.month import parse_month
from banzuke.formats.invoice_pdf import Paper
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.fees.dues import window
from banzuke.office.register import clubs
from banzuke.rulebooks.jcf import ncs_2022

if TYPE_CHECKING:
    from banzuke.database.models import Invoice

CLAUSE = "NCS 3(4)"


def number(amount: int) -> str:
    """An amount with its thousands set off: `2,400`."""
    return f"{amount:,}".replace("-", "−")


def yen(amount: int) -> str:
    """An amount with the word for yen."""
    return gettext("%(amount)s yen") % {"amount": number(amount)}


def day(of: date) -> str:
    """A day as the reader writes it."""
    return date_format(of, "DATE_FORMAT")


def printed(made: Invoice) -> Paper:
    """The invoice as it is printed."""
    club = clubs.names(made.pool).get(made.club_id, made.club_id) or gettext("No organiser named")
    return Paper(
        lang=(get_language() or "en")[:2],
        title=gettext("Invoice No. %(number)s") % {"number": made.number},
        to=gettext("To %(club)s") % {"club": club},
        sender="\n".join(filter(None, [made.pool.name, office_settings().address.strip()])),
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
        % {"clause": CLAUSE, "yen": ncs_2022.FEE_YEN},
    )


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
    return [line["name"], days, str(line["participants"]), str(line["charged"]), number(line["yen"])]
