"""How pages print what the office knows: changes, ratings, sentences, faults.

Changing one parameter of the query string is Django's own `{% querystring name=value %}`; an id in an address
is `<id:...>` (`banzuke.web.id_converter`).
"""

import re
from collections.abc import Iterable, Mapping
from datetime import date, datetime
from importlib.metadata import version
from typing import Any

from django import template
from django.core.paginator import Page
from django.core.validators import slug_re
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _

from banzuke import words
from banzuke.core.decimals import decimal
from banzuke.core.fault import Fault
from banzuke.database import two_names
from banzuke.database.models import Pool
from banzuke.office.lists.list_differences import Difference
from banzuke.office.live import go_rules
from banzuke.office.page_words import page_text, place_text
from banzuke.office.public_names import Person
from banzuke.web.areas import areas_of
from banzuke.web.demo.guide import CLOSED, STEPS, guide_for
from banzuke.web.problem_views import ProblemView, faults_of_table
from banzuke.web.reference.document_pages import has_document
from banzuke.web.result_names import result_text as name_result
from banzuke.web.shortcuts import page_language

register = template.Library()

MINUS = "−"
#: A hyphen that stands before a figure, and not between words, days or figures.
HYPHEN_FOR_MINUS = re.compile(r"(?<![\w.)-])-(?=\d)")


@register.simple_tag
def installed_version() -> str:
    """The version of the program."""
    return version("banzuke")


@register.simple_tag
def colon() -> str:
    """What stands between a word and what is said of it."""
    return words.colon(page_language())


@register.simple_tag
def comma() -> str:
    """What stands between the names of a row."""
    return words.comma_list(("", ""), page_language())


@register.simple_tag
def semicolon() -> str:
    """What stands between two such statements."""
    return "；" if page_language() == "ja" else "; "


@register.simple_tag
def change(value: int | None) -> SafeString | str:
    """A change of whole points with its sign; the class gives colour and shape. None: nothing."""
    return "" if value is None else _change(value, str(abs(value)))


@register.simple_tag
def exact_change(value: int | None) -> SafeString | str:
    """A change in hundredths of a point, as `change` prints whole ones."""
    return "" if value is None else _change(value, decimal(abs(value)))


def _change(value: int, size: str) -> SafeString:
    if value > 0:
        way, sign, spoken = "up", "+", pgettext("change", "up")
    elif value < 0:
        way, sign, spoken = "down", MINUS, pgettext("change", "down")
    else:
        way, sign, spoken = "same", "±", pgettext("change", "unchanged")
    return format_html(
        '<span class="change {}"><span class="sr">{} </span>{}{}</span>', way, spoken, sign, size
    )


def with_sign(points: int) -> str:
    """Whole points with their sign, in a text: `+12`, `−3`, `±0`."""
    return f"{points:+}".replace("-", MINUS) if points else "±0"


@register.filter
def signed_change(written: str) -> SafeString | str:
    """A change as a report's preview writes it (`-15.2`), as `change` prints one."""
    size = written.removeprefix("-")
    if size == "0":
        return _change(0, size)
    return _change(1 if size == written else -1, size)


@register.filter
def result_text(result: str) -> str:
    """A game's result, in words where it is a forfeit or not to be rated."""
    return name_result(result)


@register.simple_tag
def rating(value: int | None) -> SafeString | str:
    """A rating; None: a dash, spoken as "unrated"."""
    if value is not None:
        return str(value)
    spoken = gettext("unrated")
    return format_html('<span aria-hidden="true">–</span><span class="sr">{}</span>', spoken)


@register.simple_tag
def say(area: str, key: str, **facts: object) -> str:
    """A sentence of `banzuke.words` in the page's language."""
    return words.say(area, key, page_language(), **facts)


@register.filter
def act(code: str) -> str:
    """What an act of the journal or the book is called."""
    return words.act_text(code, page_language())


@register.filter
def verdict(code: str) -> str:
    """What the rules say of a game, in a few words."""
    found = words.catalogue("lab")["value"]["verdict"].get(code)
    return found[page_language()] if found else code


@register.simple_tag
def fault(found: Fault) -> SafeString:
    """What is wrong with a file, and where, in the page's language."""
    lang = page_language()
    return format_html('<span class="address">{}</span> {}', place_text(found, lang), page_text(found, lang))


@register.simple_tag(takes_context=True)
def table_problems(context: Mapping[str, Any], faults: Iterable[Fault]) -> list[ProblemView]:
    """What is wrong with a table that was sent to the register, many of one kind as one."""
    return faults_of_table(context["pool"], faults)


@register.inclusion_tag("web/pagination.html")
def pagination(page: Page[Any]) -> dict[str, Any]:
    """The way through a long list: the page before and after, and some between."""
    numbers = page.paginator.get_elided_page_range(page.number)
    return {"page": page, "numbers": numbers}


@register.inclusion_tag("web/areas.html", takes_context=True)
def areas(context: Mapping[str, Any]) -> dict[str, Any]:
    """On a page of a pool's office: the pool and the visitor's areas in it."""
    request, pool = context.get("request"), context.get("pool")
    if request is None or not isinstance(pool, Pool) or not request.path.startswith("/office/"):
        return {}
    return {"pool": pool, "areas": areas_of(request, pool)}


@register.inclusion_tag("web/demo_guide.html", takes_context=True)
def demo_guide(context: Mapping[str, Any]) -> dict[str, Any]:
    """In a demo office: the step that is next. Others have none."""
    request = context.get("request")
    guide = guide_for(request, day) if request is not None and hasattr(request, "user") else None
    if request is None or guide is None:
        return {}
    here = request.get_full_path() if request.method == "GET" else "/"
    is_closed = bool(request.COOKIES.get(CLOSED))
    token = context.get("csrf_token")
    return {
        "guide": guide,
        "names": STEPS,
        "is_closed": is_closed,
        "here": here,
        "request": request,
        "csrf_token": token,
    }


@register.inclusion_tag("web/search_field.html", takes_context=True)
def search_field(context: Mapping[str, Any]) -> dict[str, Any]:
    """The field at the top of every page: it searches the page's pool, else the whole office."""
    request, pool = context.get("request"), context.get("pool")
    of = pool if isinstance(pool, Pool) else None
    address = reverse("pool-search", kwargs={"slug": of.slug}) if of else reverse("search")
    is_searching = request is not None and request.path in (address, reverse("search"))
    return {"pool": of, "address": address, "is_searching": is_searching}


@register.simple_tag
def document_address(name: str) -> str:
    """A document in the reader's language, where it is there in that."""
    native = f"ja/{name}"
    return reverse("document", args=[native if page_language() == "ja" and has_document(native) else name])


@register.simple_block_tag
def crumbs(content: SafeString) -> SafeString:
    """The way here: links from the widest to the nearest, over the heading."""
    return format_html('<nav class="crumbs" aria-label="{}">{}</nav>', gettext("The way here"), content)


@register.simple_block_tag
def scroll(content: SafeString, label: object = "") -> SafeString:
    """A table that may be wider than the screen; the label says what it is of, where no caption does."""
    region = format_html(' role="region" aria-label="{}"', label) if label else ""
    return format_html('<div class="scroll" tabindex="0"{}>{}</div>', region, content)


@register.filter
def page_name(player: Any) -> str:
    """A player's name as its row has it: in kanji on a Japanese page, where there is one."""
    return _person(player).called(page_language())


@register.filter
def other_name(player: Any) -> str:
    """The player's name in the other script; blank where there is none."""
    return _person(player).also(page_language())


@register.filter
def name_here(row: Any) -> str:
    """What an event, a club or an application is called in the page's language."""
    return two_names.name_here(getattr(row, "name", ""), getattr(row, "name_native", ""))


def _person(player: Any) -> Person:
    return Person(player.player_id, player.name, player.name_native)


@register.simple_tag(takes_context=True)
def pool_of_address(context: Mapping[str, Any]) -> Pool | None:
    """The pool in whose address the page was looked for; None where there is none."""
    request = context.get("request")
    slug = request.path.strip("/").removeprefix("office/").partition("/")[0] if request else ""
    return Pool.objects.filter(slug=slug).first() if slug_re.match(slug) else None


@register.simple_tag
def is_live(pool: Pool) -> bool:
    """Whether every game of the pool is rated the moment it ends."""
    return go_rules.is_live(pool)


# Figures


FIGURES = {
    "rating": _("rating"),
    "games": _("games"),
    "change": _("change"),
    "peak": _("peak"),
    "status": _("status"),
    "qualified": _("qualified"),
    "written": _("rank"),
    "wins_in_bc": _("wins in the beginners' class"),
    "speed": _("speed"),
    "score": _("score"),
    "own": _("own rating"),
    "opponent": _("opponent's rating"),
    "difference": _("difference"),
    "expected": _("expectation"),
    "k": _("K"),
    "verdict": _("verdict"),
    "clause": _("clause"),
    "rank": _("rank before"),
    "opponent_rank": _("opponent's rank"),
    "rank_after": _("rank after"),
    "upper": _("upper side"),
}


@register.filter
def figure(code: str) -> Any:
    """What a figure is called."""
    return FIGURES.get(code, code)


@register.filter
def count_players(differences: Iterable[Difference]) -> int:
    """How many players those differences are of."""
    return len({each.player for each in differences})


@register.filter
def shown(value: Any) -> Any:
    """A figure as it is compared: a dash where there is none."""
    if value is None or value == "":
        return "–"
    return str(value).replace("-", MINUS) if isinstance(value, int) else value


@register.filter
def with_minus(text: object) -> str:
    """A text with figures in it, each below nothing with a true minus."""
    return HYPHEN_FOR_MINUS.sub(MINUS, str(text))


@register.filter(expects_localtime=True)
def day(of: date | None) -> str:
    """A day as people read it: `2026年11月22日` in Japanese, `2026-11-22` in English. None: nothing."""
    return date_format(of, _day_format()) if of else ""


@register.filter(expects_localtime=True)
def moment(at: datetime | None) -> str:
    """A day and time as people read them, as `day` writes them."""
    return date_format(at, f"{_day_format()} H:i") if at else ""


@register.filter(expects_localtime=True)
def moment_to_second(at: datetime) -> str:
    """A moment with its seconds, where several acts fall into one minute."""
    return date_format(at, f"{_day_format()} H:i:s")


def _day_format() -> str:
    return "Y年n月j日" if page_language() == "ja" else "Y-m-d"


@register.simple_tag
def days(starts: date | None, ends: date | None) -> SafeString | str:
    """The days of an event: `2026-05-03 – 2026-05-05`, in Japanese `2026年5月3日～5日`. None: nothing."""
    if starts is None:
        return ""
    first = _time(starts, day(starts))
    if ends is None or ends == starts:
        return first
    return format_html("{}{}{}", first, _until(), _time(ends, _end_after(starts, ends)))


def days_text(starts: date, ends: date) -> str:
    """The days as `days` writes them, as text alone."""
    return day(starts) if starts == ends else f"{day(starts)}{_until()}{_end_after(starts, ends)}"


def _until() -> str:
    return "～" if page_language() == "ja" else " – "


def _time(of: date, text: str) -> SafeString:
    return format_html('<time datetime="{}">{}</time>', of.isoformat(), text)


def _end_after(starts: date, ends: date) -> str:
    """The last day; in Japanese without what it has in common with the first."""
    if page_language() != "ja" or ends.year != starts.year:
        return day(ends)
    return date_format(ends, "j日" if ends.month == starts.month else "n月j日")


@register.filter
def number(amount: int) -> str:
    """An amount with its thousands set off: `2,400`."""
    return f"{amount:,}".replace("-", MINUS)


@register.filter
def yen(amount: int) -> str:
    """An amount with the word for yen."""
    return gettext("%(amount)s yen") % {"amount": number(amount)}
