"""The rows of a crosstable, written in one piece: an event of two hundred players has thousands of cells."""

from collections.abc import Mapping

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from banzuke.database.models import Pool
from banzuke.formats.events import event_html
from banzuke.formats.events.event_table import EventRow
from banzuke.office.pages.crosstables import Crosstable
from banzuke.web.public import public_addresses
from banzuke.web.templatetags.banzuke import exact_change, rating
from banzuke.web.templatetags.objections import wrong
from banzuke.web.templatetags.ratings import expectation, half_points

register = template.Library()

_ROW = """\
<tr id="p{}"><td class="n">{}</td><th scope="row" class="name"><a href="{}">{}</a></th>\
<td class="n">{}</td><td class="n">{}</td>{}<td class="n">{}</td><td class="n">{}</td>{}{}\
<td class="n">{}</td><td>{}</td></tr>
"""
_CELL = '<td class="n">{}</td>'


@register.simple_tag
def crosstable_rows(
    pool: Pool, found: Crosstable, names: Mapping[int, str], marks: Mapping[tuple[int, str], str]
) -> SafeString:
    """The rows of an event's crosstable.

    `names` are by the players' numbers; `marks` tell, by round and player, the games that do not count.
    """
    return mark_safe("".join(_row(pool, found, row, names, marks) for row in found.table.rows))  # noqa: S308


def _row(
    pool: Pool,
    found: Crosstable,
    row: EventRow,
    names: Mapping[int, str],
    marks: Mapping[tuple[int, str], str],
) -> SafeString:
    return format_html(
        _ROW,
        row.number,
        row.number,
        reverse("public-player", args=[pool.slug, row.player_id]),
        names.get(row.number, row.number),
        exact_change(row.change),
        rating(row.before),
        _rounds(found, row, names, marks),
        half_points(row.points),
        f"{half_points(row.scored)}/{row.rated}" if row.rated else "",
        format_html(_CELL, expectation(row.expected)) if found.table.has_expectations else "",
        format_html(_CELL, exact_change(row.bonus)) if found.table.has_bonus else "",
        _rating_after(pool, found, row),
        _wrong(pool, found, row, names),
    )


def _wrong(pool: Pool, found: Crosstable, row: EventRow, names: Mapping[int, str]) -> SafeString:
    """The way to say that a game of the row is wrong."""
    table, name = found.table, str(names.get(row.number, row.number))
    about = {"event": table.event_id, "list": found.published.name, "speed": table.speed}
    return wrong(pool, name, player=row.player_id, **about)


def _rounds(
    found: Crosstable, row: EventRow, names: Mapping[int, str], marks: Mapping[tuple[int, str], str]
) -> SafeString:
    """The cells of the rounds; every name is escaped."""
    cells = zip(found.table.rounds, row.cells, strict=True)
    written = (event_html.cell(each, names, marks.get((at, row.player_id), "")) for at, each in cells)
    return mark_safe("".join(written))  # noqa: S308


def _rating_after(pool: Pool, found: Crosstable, row: EventRow) -> SafeString | str:
    """The rating of the list, with a link to how it came about; a dash for who has none."""
    if row.after is None:
        return rating(None) if row.before is None else "–"
    published = found.published
    address = public_addresses.working_address(pool, row.player_id, published.name, found.table.speed)
    return format_html('<a href="{}">{}</a>', address, row.after)
