"""The links by which the public says that something is wrong, and the mark of lists that may still change."""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from banzuke.database.models import Pool, RatingList
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.lists.preliminary_lists import until_of
from banzuke.web.shortcuts import page_language
from banzuke.words import day_text

register = template.Library()


def wrong_address(pool: Pool, **about: Any) -> str:
    """The form of an objection to `player`, `event`, `list`, `speed`, `round`, `opponent` of the page."""
    said = {name: str(value) for name, value in about.items() if value not in ("", None)}
    return f"{reverse('public-wrong', kwargs={'slug': pool.slug})}?{urlencode(said)}"


@register.simple_tag
def wrong(pool: Pool, about_it: str = "", **about: Any) -> SafeString:
    """A short link beside a game or an event; `about_it` is read aloud with it."""
    address, sign = wrong_address(pool, **about), gettext("wrong?")
    said = format_html('<span class="sr"> {}</span>', about_it) if about_it else ""
    return format_html('<a class="small noprint" rel="nofollow" href="{}">{}{}</a>', address, sign, said)


@register.inclusion_tag("public/mistakes.html")
def mistakes(pool: Pool | None = None, **about: Any) -> dict[str, Any]:
    """How the public tells the office of a mistake: by the form of an objection, or where players write."""
    address = wrong_address(pool, **about) if pool else ""
    return {"contact": office_settings().contact, "address": address}


@register.simple_tag
def preliminary_mark(published: RatingList) -> SafeString | str:
    """Beside a preliminary list up to which day it is one; nothing beside one that is final."""
    until = until_of(published)
    if until is None:
        return ""
    text = gettext("preliminary until %(day)s") % {"day": day_text(until.isoformat(), page_language())}
    return format_html('<span class="tag warn">{}</span>', text)
