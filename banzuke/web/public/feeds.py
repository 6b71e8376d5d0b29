"""Feeds (Atom): a player's lists; a pool's lists, revisions, adjustments and changes of rules; its events.

Who is shown by id only has none. `?lang=ja` keeps a feed in Japanese, as feed readers ask for no language.
"""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from operator import attrgetter
from typing import Any, NamedTuple

from django.conf import settings
from django.contrib.syndication.views import Feed
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from banzuke.core.facts import Adjustment
from banzuke.database.models import FinalList, ListRow, Pool, RatingList
from banzuke.explanations import rule_pages
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.ledger.reforms import as_numbers
from banzuke.office.administration.licences import licence
from banzuke.office.event_progress import EventProgress
from banzuke.office.lists.adjustments import entered_adjustments, lists_with_adjustments
from banzuke.office.lists.preliminary_lists import days_of, last_finals
from banzuke.office.merged_ids import kept_id
from banzuke.office.pages.news import (
    MOST,
    PlayerNews,
    RuleChange,
    news_of_events,
    news_of_lists,
    news_of_player,
    news_of_rules,
)
from banzuke.office.public_names import by_id_only, people
from banzuke.office.reforms.reform_acts import announced_reforms
from banzuke.web.access import of_chess, public
from banzuke.web.event_standing import standing
from banzuke.web.public.adjustment_pages import adjustment_address, shown_adjustments
from banzuke.web.public.caching import conditional, conditional_on_office, conditional_on_reforms
from banzuke.web.public.public_addresses import list_address, working_address
from banzuke.web.shortcuts import page_language
from banzuke.web.templatetags.banzuke import with_sign
from banzuke.web.templatetags.ratings import list_name, revision_name, speed_name
from banzuke.words import colon, day_text, said_of

LANGUAGES = frozenset(code for code, _name in settings.LANGUAGES)


class NewsEntry(NamedTuple):
    """An entry: what is new, where it stands, and since when."""

    title: str
    about: str
    address: str
    at: datetime


class FeedContent(NamedTuple):
    """A feed of a pool: what it is of, its page, its entries, the newest first."""

    pool: Pool
    title: str
    address: str
    entries: list[NewsEntry]

    @property
    def since(self) -> datetime:
        """Its last change where it has no entries: when the pool was opened."""
        first = self.pool.entries.order_by("pk").first()
        return first.at if first else datetime(2000, 1, 1, tzinfo=UTC)


class _Generator(Atom1Feed):
    """Django's, whose last change is not the moment of asking where a feed has no entry."""

    def latest_post_date(self) -> datetime:
        since: datetime = self.feed["since"]
        return max((item["updateddate"] for item in self.items), default=since)


def _as_xml(text: str) -> str:
    """A text without the signs that XML does not hold; a reason may have them."""
    return "".join(sign for sign in text if " " <= sign not in "\ufffe\uffff" or sign in "\t\n\r")


class _NewsFeed(Feed):  # type: ignore[type-arg]  # at run time it takes none
    feed_type = _Generator

    def get_object(self, _request: HttpRequest, news: FeedContent) -> FeedContent:
        return news

    def title(self, news: FeedContent) -> str:
        return news.title

    def link(self, news: FeedContent) -> str:
        return news.address

    def author_name(self, news: FeedContent) -> str:  # Atom asks for one (RFC 4287, 4.1.1)
        return news.pool.name

    def feed_copyright(self, _news: FeedContent) -> str | None:
        terms = licence()
        return terms.name if terms else None

    def feed_extra_kwargs(self, news: FeedContent) -> dict[str, Any]:
        return {"since": news.since}

    def items(self, news: FeedContent) -> list[NewsEntry]:
        return news.entries

    def item_title(self, item: NewsEntry) -> str:
        return _as_xml(item.title)

    def item_description(self, item: NewsEntry) -> str:
        return escape(_as_xml(item.about))  # it is sent as HTML

    def item_link(self, item: NewsEntry) -> str:
        return item.address

    def item_updateddate(self, item: NewsEntry) -> datetime:
        return item.at


def _answer(request: HttpRequest, news: FeedContent) -> HttpResponse:
    answer = _NewsFeed()(request, news=news)
    del answer["Last-Modified"]  # the page's own is of the whole pool
    return answer


def _language(request: HttpRequest) -> str:
    asked = request.GET.get("lang", "")
    return asked if asked in LANGUAGES else get_language() or settings.LANGUAGE_CODE


@public
@conditional
def player_feed(request: HttpRequest, pool: Pool, player: str) -> HttpResponse:
    """What each list and revision says of a player. Raises Http404 for who is shown by id only."""
    kept = kept_id(pool, player)
    found = news_of_player(pool, kept)
    if kept in by_id_only(pool) or not found:
        raise Http404
    with override(_language(request)):
        called = people(pool, [kept])[kept].called(page_language())
        preliminary = days_of(pool)
        adjusted = lists_with_adjustments([one.published for one in found])
        entries = [
            _of_player(pool, one, preliminary.get(one.published.name), adjusted.get(one.published.pk, ()))
            for one in found
        ]
        page = reverse("public-player", kwargs={"slug": pool.slug, "player": kept})
        return _answer(request, FeedContent(pool, f"{called} · {pool.name}", page, entries))


def _of_player(
    pool: Pool, news: PlayerNews, until: date | None, adjustments: Iterable[Adjustment]
) -> NewsEntry:
    one, first = news.published, news.rows[0]
    written = " · ".join(_row(row) for row in news.rows)
    address = working_address(pool, first.player_id, one.name, first.speed) + f"?revision={one.revision}"
    title = said_of(list_name(one), written, page_language())
    decisions = ", ".join(row.decision for row in adjustments)
    adjusted = said_of(_("Adjustment of ratings"), decisions, page_language()) if decisions else ""
    about = " · ".join(filter(None, (_came_out(one, until), adjusted)))
    return NewsEntry(title, about, address, one.published_at)


def _row(row: ListRow) -> str:
    """A row in a line: `Standard 1520 (+12)`."""
    change = "" if row.change is None else f" ({with_sign(row.change)})"
    return f"{speed_name(row.speed)} {row.rating_text}".strip() + change


def _came_out(one: RatingList, until: date | None) -> str:
    """When and why a list came out; of one that is preliminary, up to which day and what to do by then."""
    lang = page_language()
    said = colon(lang).join(filter(None, (revision_name(one), one.why)))
    if until is None:
        return said
    tell = _("Preliminary until %(day)s. Tell us what is wrong by then; after that day the list is final.")
    return f"{said} · {tell % {'day': day_text(until.isoformat(), lang)}}"


@public
@conditional_on_reforms
def lists_feed(request: HttpRequest, pool: Pool) -> HttpResponse:
    """A pool's lists, revisions, lists that became final, changes of rules, adjustments, reforms."""
    with override(_language(request)):
        preliminary = days_of(pool)
        entries = [_of_list(one, preliminary.get(one.name)) for one in news_of_lists(pool)]
        entries += [_of_final(one) for one in last_finals(pool, MOST)]
        entries += [_of_rules(pool, one) for one in news_of_rules(pool)]
        entries += _of_adjustments(pool)
        entries += _of_reforms(pool)
        entries = sorted(entries, key=attrgetter("at"), reverse=True)[:MOST]
        page = reverse("public-lists", kwargs={"slug": pool.slug})
        title = _("%(pool)s: lists and rules") % {"pool": pool.name}
        return _answer(request, FeedContent(pool, title, page, entries))


def _of_list(one: RatingList, until: date | None) -> NewsEntry:
    title = f"{list_name(one)} ({revision_name(one)})" if one.revision else list_name(one)
    return NewsEntry(title, _came_out(one, until), list_address(one, revision=one.revision), one.published_at)


def _of_final(final: FinalList) -> NewsEntry:
    """That a preliminary list is final, and where what changed in between stands."""
    title = _("%(list)s is final") % {"list": list_name(final.list)}
    changed = final.list_id != final.last_id
    about = _("It was revised while it was preliminary.") if changed else _("Nothing changed in between.")
    page = reverse("public-final", kwargs={"slug": final.list.pool.slug, "name": final.list.name})
    return NewsEntry(title, about, page, final.at)


def _of_rules(pool: Pool, change: RuleChange) -> NewsEntry:
    lang = page_language()
    page = f"{reverse('reading-rules', kwargs={'slug': pool.slug})}?entry={change.entry}"
    about = " · ".join(_edition(one) for one in change.editions)
    names = " · ".join(rule_pages.title(one.book, lang) for one in change.editions)
    title = said_of(_("Change of rules"), names, lang) if names else _("Change of rules")
    return NewsEntry(title, about or title, page, change.at)


def _of_adjustments(pool: Pool) -> Iterable[NewsEntry]:
    """That ratings were adjusted, or an adjustment was taken back."""
    lang = page_language()
    for one in shown_adjustments(pool, entered_adjustments(pool)):
        name, decision = one.adjustment.adjustment_id, one.adjustment.decision
        title = said_of(_("Adjustment of ratings"), one.list_name, lang)
        yield NewsEntry(title, decision, adjustment_address(pool, name), one.entered_at)
        if one.struck_at is not None:
            title = said_of(_("Adjustment of ratings taken back"), one.list_name, lang)
            yield NewsEntry(title, decision, adjustment_address(pool, name, is_back=True), one.struck_at)


def _of_reforms(pool: Pool) -> Iterable[NewsEntry]:
    """That a reform was announced, or withdrawn after that; that it is in force tells its act in the book."""
    lang = page_language()
    for one in announced_reforms(pool):
        page = reverse("public-reform", kwargs={"slug": pool.slug, "number": one.reform.number})
        day = _("In force from %(day)s") % {"day": day_text(one.start.isoformat(), lang)}
        if one.announcement is not None:
            title = said_of(_("Reform announced"), one.name, lang)
            yield NewsEntry(title, day, f"{page}#announced", one.announcement.at)
        if one.withdrawal is not None:
            title = said_of(_("Reform withdrawn"), one.name, lang)
            yield NewsEntry(title, one.withdrawal.text, f"{page}#withdrawn", one.withdrawal.at)


def _edition(one: EditionInForce) -> str:
    """An edition with its first day, and its reform with what that changes; not who signed it."""
    lang = page_language()
    said = _("%(book)s: in force from %(day)s") % {
        "day": day_text(str(one.start), lang),
        "book": one.book.name,
    }
    if one.reform is None:
        return said
    numbers = one.reform.changes_of(one.book).items()
    changes = ", ".join(f"{name} = {as_numbers(value)}" for name, value in numbers)
    return f"{said} ({one.reform.name}{colon(lang)}{changes})"


@public
@of_chess
@conditional_on_office
def calendar_feed(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Where events of the calendar stand, those that changed last first."""
    with override(_language(request)):
        entries = list(_of_events(pool, news_of_events(pool)))
        page = reverse("public-calendar", kwargs={"slug": pool.slug})
        title = _("%(pool)s: calendar") % {"pool": pool.name}
        return _answer(request, FeedContent(pool, title, page, entries))


def _of_events(pool: Pool, events: Iterable[EventProgress]) -> Iterable[NewsEntry]:
    for one in events:
        if one.since is not None:
            page = reverse("public-event", kwargs={"slug": pool.slug, "event": one.event_id})
            said = standing(one)
            title = said_of(one.name, said.label, page_language())
            yield NewsEntry(title, said.sentence, f"{page}#{one.state}", one.since)
