"""Events: all of them, and one with its crosstable, as a page or a file."""

from itertools import chain
from string import ascii_lowercase
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase

from banzuke.core import facts
from banzuke.core.rating import MEMBER
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.database.models import Event, Pool
from banzuke.exchange.export_headings import event_wording
from banzuke.exchange.list_files import can_write
from banzuke.exchange.standings.standings import TOO_LARGE, event_standings
from banzuke.exchange.standings.wording import code_list, file_wording, standings_wording
from banzuke.formats.events import event_html, event_pdf, event_xlsx, us_crosstable
from banzuke.formats.events.event_table import EventTable
from banzuke.formats.events.standings_table import StandingsTable
from banzuke.formats.pdf_fonts import NoFontError
from banzuke.office.event_progress import State, progress_of_events, progress_of_rated
from banzuke.office.fact_rows import standing_rows
from banzuke.office.pages.crosstables import Crosstable, Reason, crosstable
from banzuke.office.pages.event_calendar import find_announced
from banzuke.office.public_names import Person
from banzuke.web.access import public
from banzuke.web.downloads import XLSX, download
from banzuke.web.event_standing import standing
from banzuke.web.public.caching import conditional, conditional_on_office
from banzuke.web.public.share_cards import card_of_event
from banzuke.web.public.structured_data import event_data
from banzuke.web.shortcuts import found_or_404, page_language, pool_page
from banzuke.words import fault_text

PAGE = 100
#: What the address calls the tie-breaks.
TIE_BREAKS = "tie-breaks"
#: Standings of more players are made when they are asked for: they take longer than the rest of the page.
PLAYERS_AT_ONCE = 100


@public
@conditional
def events(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The pool's events, the newest first; `after` is the last one of the page before."""
    rows = newest_events(pool)
    after = rows.filter(event_id=request.GET.get("after", "")).first()
    same_day, earlier = (rows.none(), rows) if after is None else _after(rows, after)
    found = list(chain(same_day[: PAGE + 1], earlier[: PAGE + 1]))
    more = found[PAGE - 1] if len(found) > PAGE else None
    return pool_page(request, "public/events.html", pool, events=found[:PAGE], more=more, after=after)


def newest_events(pool: Pool) -> Any:
    """The events that stand, the newest first."""
    return standing_rows(pool, facts.Event).order_by("-ends", "-event_id")


def _after(rows: Any, event: Event) -> tuple[Any, Any]:
    return rows.filter(ends=event.ends, event_id__lt=event.event_id), rows.filter(Q(ends__lt=event.ends))


@public
def event(request: HttpRequest, pool: Pool, event: str) -> HttpResponseBase:
    """An event of the book, or one that was granted and is not in the book yet."""
    row = standing_rows(pool, facts.Event).filter(event_id=event).last()
    return _in_book(request, pool=pool, row=row) if row else _announced_page(request, pool=pool, event=event)


@conditional
def _in_book(request: HttpRequest, pool: Pool, row: Event) -> HttpResponse:
    """An event: its crosstable with what it changed and its standings, or why no list has taken it yet."""
    found = crosstable(pool, row, request.GET.get("list", ""))
    known = progress_of_rated(row, found.lists[0]) if found else None
    progress = known or progress_of_events(pool, [row.event_id])[row.event_id]
    context: dict[str, Any] = {
        "event": row,
        "found": found,
        "names": _names(found),
        "classes": _classes(found),
    }
    said = standing(progress)
    shared = card_of_event(request, pool, row, said.sentence)
    context |= {"standing": said, "share": shared, "structured": event_data(pool, row, shared)}
    context |= _reasons(found)
    return pool_page(request, "public/event.html", pool, **context, **_standings(request, found))


@conditional_on_office
def _announced_page(request: HttpRequest, pool: Pool, event: str) -> HttpResponse:
    """An event that was granted and is not in the book yet. Raises Http404 for none."""
    found = found_or_404(find_announced(pool, event))
    row, said = found.application, standing(found.progress)
    shared = card_of_event(request, pool, row, said.sentence)
    is_cancelled = found.progress.state is State.CANCELLED
    context = {
        "event": row,
        "organiser": found.organiser,
        "standing": said,
        "share": shared,
        "structured": event_data(pool, row, shared, is_cancelled=is_cancelled),
    }
    return pool_page(request, "public/announced.html", pool, **context)


def _standings(request: HttpRequest, found: Crosstable | None) -> dict[str, Any]:
    """The standings by the tie-breaks that the address names, and what is wrong with these."""
    if found is None:
        return {}
    if len(found.table.rows) > PLAYERS_AT_ONCE and TIE_BREAKS not in request.GET:
        return {"has_standings": True, "has_pdf": can_write("pdf")}
    lang, codes = page_language(), request.GET.get(TIE_BREAKS, "")
    standings, faults = event_standings(found.table, codes, is_quick=True, lacks_games=_lacks_games(found))
    words = {} if standings is None else standings_wording(standings, lang)
    asked = ",".join(standings.codes) if standings and codes else ""
    return {
        "standings": standings,
        "standings_words": words,
        "standings_faults": [fault_text(one, lang) for one in faults if codes or one.code == TOO_LARGE],
        "codes": code_list(lang),
        "asked": asked,
        "has_pdf": can_write("pdf"),
    }


def _reasons(found: Crosstable | None) -> dict[str, Any]:
    """The reasons why games of a crosstable do not count, each with a letter, and the letters by cell."""
    letters: dict[Reason, str] = {}
    marks = {}
    for row in found.table.rows if found else ():
        for at, cell in zip(found.table.rounds, row.cells, strict=True) if found else ():
            why = found.why.get((at, row.player_id)) if found and cell and cell.is_left_out else None
            if why is not None:
                marks[at, row.player_id] = letters.setdefault(why, _letter(len(letters)))
    return {"marks": marks, "reasons": [(letter, *why, _who(found, why)) for why, letter in letters.items()]}


def _who(found: Crosstable | None, why: Reason) -> list[str]:
    """The names of the players whose missing membership keeps games out, if that is the reason."""
    if found is None or why.verdict != MEMBER:
        return []
    named = _names(found)
    return [named[row.number] for row in found.table.rows if row.player_id in found.not_members]


def _letter(place: int) -> str:
    return ascii_lowercase[place % len(ascii_lowercase)]


def _lacks_games(found: Crosstable) -> bool:
    """Whether games of the event stand that the list did not take."""
    games = standing_rows(found.published.pool, facts.Game).filter(event_id=found.table.event_id).count()
    return 2 * games > sum(bool(cell and not cell.is_bye) for row in found.table.rows for cell in row.cells)


def _names(found: Crosstable | None) -> dict[int, str]:
    """What the players are called, by the numbers of their rows."""
    lang, rows = page_language(), found.table.rows if found else ()
    return {row.number: Person(row.player_id, row.name, row.name_native).called(lang) for row in rows}


def find_event(pool: Pool, event_id: str) -> Event:
    """An event of the pool that stands. Raises Http404."""
    found: Event = found_or_404(standing_rows(pool, facts.Event).filter(event_id=event_id).last())
    return found


def _classes(found: Crosstable | None) -> dict[str, list[Any]]:
    """The book's prize classes with their players, by the ratings that they came with, best scores first."""
    classes: dict[str, list[Any]] = {}
    book = BOOKS.get(found.published.rulebook) if found else None
    if found and isinstance(book, ChessBook) and book.prize_class:
        for row in found.table.rows:
            if row.before is not None:
                classes.setdefault(book.prize_class(row.before), []).append(row)
    return dict(sorted(classes.items()))


@public
@conditional
def crosstable_page(request: HttpRequest, pool: Pool, event: str) -> HttpResponse:
    """An event's crosstable as one page that stands alone."""
    page = event_html.write(*_file_content(request, pool, event))
    return download(page, f"{pool.slug}-{event}.html", "text/html; charset=utf-8")


@public
@conditional
def crosstable_workbook(request: HttpRequest, pool: Pool, event: str) -> HttpResponse:
    """An event's crosstable as a workbook."""
    book = event_xlsx.write(*_file_content(request, pool, event))
    return download(book, f"{pool.slug}-{event}.xlsx", XLSX)


@public
@conditional
def crosstable_pdf(request: HttpRequest, pool: Pool, event: str) -> HttpResponse:
    """An event's crosstable on paper. Raises Http404 where this machine can't set it."""
    try:
        paper = event_pdf.write_event(*_file_content(request, pool, event))
    except (ModuleNotFoundError, NoFontError) as error:
        raise Http404 from error
    return download(paper, f"{pool.slug}-{event}.pdf", "application/pdf")


@public
@conditional
def us_crosstable_text(request: HttpRequest, pool: Pool, event: str) -> HttpResponse:
    """An event's crosstable as the text that clubs in the United States know."""
    page = us_crosstable.write(_find_crosstable(request, pool, event).table)
    return download(page, f"{pool.slug}-{event}.txt", "text/plain; charset=utf-8")


def _find_crosstable(request: HttpRequest, pool: Pool, event: str) -> Crosstable:
    """The crosstable that is asked for. Raises Http404 while no list has the event."""
    return found_or_404(crosstable(pool, find_event(pool, event), request.GET.get("list", "")))


def _file_content(
    request: HttpRequest, pool: Pool, event: str
) -> tuple[EventTable, dict[str, str], StandingsTable | None]:
    """What a file of the event is written from: the crosstable, the words and the standings."""
    found = _find_crosstable(request, pool, event)
    lang, codes = page_language(), request.GET.get(TIE_BREAKS, "")
    standings = event_standings(found.table, codes, is_quick=True, lacks_games=_lacks_games(found)).table
    words = event_wording(found.table, lang) | file_wording(standings, lang)
    return found.table, words, standings
