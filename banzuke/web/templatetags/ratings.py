"""How public pages name lists, speeds and players, and where they link to."""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext, ngettext

from banzuke import words
from banzuke.core import facts
from banzuke.core.decimals import decimal, half_sign, two_decimals
from banzuke.core.rating import Coefficient
from banzuke.core.registry import BOOKS
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, RatingList
from banzuke.database.two_names import name_here
from banzuke.explanations.chess_rating import explain_k
from banzuke.office.fact_rows import standing_rows
from banzuke.office.pages.compared_players import ComparedPlayer
from banzuke.office.pages.event_lists import is_of_event, note_event_names
from banzuke.office.pages.list_summary import NamedRow
from banzuke.office.public_names import Person
from banzuke.web.public import public_addresses
from banzuke.web.rule_clauses import clauses_on
from banzuke.web.shortcuts import page_language
from banzuke.web.templatetags.banzuke import shown, verdict, with_minus

register = template.Library()
register.simple_tag(public_addresses.list_address)
register.simple_tag(public_addresses.clubs_address)
register.simple_tag(public_addresses.comparison_address)


@register.filter
def list_name(published: RatingList) -> str:
    """A list's name as people say it: `2025年3月`; of an event's list, the event and its last day."""
    if published.event_name is None:
        note_event_names([published])
    lang = page_language()
    if not published.event_name:
        return words.list_title(published.name, lang)
    day = words.day_text(published.closes.isoformat(), lang)
    return words.say("export", "list-of-event", lang, event=published.event_name, day=day)


@register.filter
def revision_name(published: RatingList) -> str:
    """A revision by the day on which it came out: `revised on 2025-06-03`."""
    on = words.day_text(localtime(published.published_at).date().isoformat(), page_language())
    if published.revision:
        return gettext("revised on %(day)s") % {"day": on}
    return gettext("first published on %(day)s") % {"day": on}


@register.filter
def list_of_name(name: str) -> str:
    """A list that is not published yet, as people say it: `2025年3月`."""
    return words.list_title(name, page_language())


@register.filter
def coming_list_of(pool: Pool, name: str) -> str:
    """A list that is not published yet, as people say it; of an event's list, the event and its last day."""
    lang = page_language()
    if not rules_of(pool).schedule.is_by_event:
        return words.list_title(name, lang)
    event = standing_rows(pool, facts.Event).filter(event_id=name).last()
    if event is None:
        return name
    day = words.day_text(event.ends.isoformat(), lang)
    return words.say("export", "list-of-event", lang, event=name_here(event.name, event.name_native), day=day)


@register.filter
def lists_of_names(names: Iterable[str]) -> str:
    """Several of them, with commas between them."""
    return words.list_titles(names, page_language())


@register.filter
def list_beside_event(published: RatingList) -> str:
    """A list's name where its event stands beside it: of an event's list, the day alone."""
    closes = words.day_text(published.closes.isoformat(), page_language())
    return closes if is_of_event(published) else list_name(published)


@register.filter
def speed_name(speed: str) -> str:
    """A speed's name; blank for a list that has none."""
    return words.say("export", f"speed-{speed}", page_language()) if speed else ""


@register.simple_tag
def figure_value(name: str, value: object) -> str:
    """A figure that was compared, in words where it is a code: a speed, a verdict, yes or no."""
    if name == "speed" and value:
        return speed_name(str(value))
    if name == "verdict" and value:
        return verdict(str(value))
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    return str(shown(value))


@register.filter
def called(person: Person) -> str:
    """What a player is called in the page's language."""
    return person.called(page_language())


@register.filter
def also_called(person: Person) -> str:
    """A player's name in the other script; blank where there is none."""
    return person.also(page_language())


@register.filter
def half_points(halves: int | None) -> str:
    """Half points as a sum: `3½`."""
    return "" if halves is None else half_sign(halves)


@register.filter
def expectation(hundredths: int | None) -> str:
    """An expectation in hundredths, with two decimals; blank for none."""
    return "" if hundredths is None else two_decimals(hundredths)


@register.filter
def points(hundredths: int) -> str:
    """An amount of hundredths of a point, as decimals: `15.2`."""
    return with_minus(decimal(hundredths))


@register.filter
def status_name(status: str) -> str:
    """What sort of rating a player has; blank for one that has passed every trial."""
    names = {
        "provisional": gettext("provisional"),
        "beginner": gettext("beginner"),
        "professional": gettext("professional"),
    }
    return names.get(status, "")


@register.filter
def group_name(group: str) -> str:
    """An age group; blank for adults, as most are, and where it is not known."""
    return {"junior": gettext("junior"), "senior": gettext("senior")}.get(group, "")


@register.filter
def column_name(column: str) -> str:
    """What the heading of a list's column says."""
    return {
        "place": gettext("Place"),
        "rating": gettext("Rating"),
        "name": gettext("Name"),
        "club": gettext("Club"),
        "change": gettext("Change"),
        "games": gettext("Games"),
        "peak": gettext("Peak"),
        "id": gettext("Id"),
    }[column]


@register.simple_tag
def reason(book: str, k: Coefficient) -> str:
    """A K, and why it is this one; the bare K, where the book is not installed."""
    found = BOOKS.get(book)
    return explain_k(found, k, page_language()) if found else f"K = {k.value}"


@register.simple_tag
def way(address: str, **asked: str) -> str:
    """A list's address with what is asked of it."""
    return f"{address}{'&' if '?' in address else '?'}{urlencode(asked)}"


@register.simple_tag
def working_address(pool: Pool, player: str, published: RatingList, speed: str) -> str:
    """How a player's rating in a list came about."""
    return public_addresses.working_address(pool, player, published.name, speed)


@register.simple_tag
def clause(pool: Pool, book: str, number: str) -> SafeString | str:
    """A clause, linked to the page of its rule book if that is installed and has it; nothing for none."""
    if book not in BOOKS or number not in BOOKS[book].register:
        return number
    address = public_addresses.clause_address(pool, book, number)
    return format_html('<a class="clause" href="{}">{}</a>', address, number)


@register.simple_tag
def rules_on(pool: Pool, concept: str) -> SafeString:
    """What the rule books of a pool say of something: each clause in our own words, a paragraph each."""
    lang = page_language()
    found = (
        (words.book_words(book)["clauses"][number][lang], clause(pool, book.name, number))
        for book, number in clauses_on(pool, concept)
    )
    return format_html_join("", "<p>{} {}</p>", found)


@register.simple_tag
def club_options(clubs: dict[str, str], chosen: str) -> SafeString:
    """The clubs as options of a field."""
    options = ((id_, mark_safe(" selected") if id_ == chosen else "", name) for id_, name in clubs.items())
    return format_html_join("", '<option value="{}"{}>{}</option>', options)


@register.filter
def added_cell(more: dict[str, Any] | None, column: str) -> Any:
    """What a row has in a column that a rule book adds; blank for nothing."""
    return (more or {}).get(column, "")


@register.simple_tag
def beside_name(one: NamedRow, clubs: Mapping[str, str], added: Mapping[str, str]) -> SafeString:
    """What a narrow screen has under a player's name: club, games, peak and what the rule book adds."""
    row = one.row
    parts = [clubs.get(row.club_id, row.club_id)] if row.club_id and not one.is_by_id_only else []
    parts.append(ngettext("%(games)s game", "%(games)s games", row.games) % {"games": row.games})
    if row.peak is not None:
        parts.append(gettext("peak %(peak)s") % {"peak": row.peak})
    cells = ((name, added_cell(row.more, column)) for column, name in added.items())
    parts += [f"{name} {cell}" for name, cell in cells if cell != ""]
    parts[:-1] = [f"{part} ·" for part in parts[:-1]]
    return format_html_join(" ", '<span class="part">{}</span>', ((part,) for part in parts))


@register.simple_tag
def beside_movement(one: ComparedPlayer) -> str:
    """What a narrow screen has under the name of a compared player: ratings and places in both lists."""
    rows = [row for row in (one.earlier, one.later) if row is not None]
    ratings = " → ".join(row.rating_text for row in rows)
    places = " → ".join(str(row.place) for row in rows)
    at_places = gettext("place %(places)s") % {"places": places}
    return f"{ratings} · {at_places}" if one.size is not None else at_places


@register.filter
def title_of(titles: Mapping[str, str], player: str) -> SafeString | str:
    """A player's title, to stand before the name; nothing where there is none."""
    title = titles.get(player)
    return format_html('<span class="title">{}</span> ', title) if title else ""


@register.filter
def at(names: dict[Any, str], key: Any) -> str:
    """The name under a key; the key itself, as text, where there is none."""
    return names.get(key, str(key))
