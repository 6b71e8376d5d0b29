"""Reports that name a person: those with the person's games, and those whose files name the person."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Q, QuerySet

from banzuke.core.fault import RefusedError
from banzuke.database.models import Bye, Game, GoGame, Inquiry, Objection, Player, Pool, Report, ReportFile
from banzuke.database.models.reports import OPEN_STATES
from banzuke.office.bounded_reading import SMALL, ReadersBusyError, read_bounded
from banzuke.office.erasure.file_texts import are_named
from banzuke.office.erasure.redactor import KnownWords, Redactor, any_id, is_found
from banzuke.office.inbox.report_files import read_contents

#: So many bytes of files are looked through at once.
AT_ONCE = 16 << 20


def naming_reports(
    pool: Pool, ids: Collection[str], words: KnownWords, since: Mapping[str, int]
) -> list[Report]:
    """The reports whose files name the person, open ones among them, in the order in which they came.

    Of the tables `Report` and `ReportFile` only rows after those numbers are looked through. Raises
    ReadersBusyError.
    """
    found = set(_with_games(pool, ids).values_list("pk", flat=True))
    redactor = Redactor(words, "")
    reports = Report.objects.filter(pool=pool, pk__gt=since.get("Report", 0))
    open_ones = reports.filter(state__in=OPEN_STATES).exclude(pk__in=found)
    found |= {report.pk for report in open_ones if _is_named(report, pool, ids, redactor)}
    files = ReportFile.objects.filter(report__pool=pool, pk__gt=since.get("ReportFile", 0))
    found |= set(_with_words(files.exclude(report__in=found), words))
    return list(Report.objects.filter(pk__in=found).order_by("pk"))


def _with_words(files: QuerySet[ReportFile], words: KnownWords) -> Iterator[int]:
    """The reports of files in which the words are, wherever in the file."""
    for some in _by_size(files.exclude(erased__isnull=False).values_list("report_id", "data").iterator(1)):
        named = _are_named([data for _, data in some], words)
        yield from (report for (report, _), is_named in zip(some, named, strict=True) if is_named)


def _are_named(files: list[bytes], words: KnownWords) -> list[bool]:
    """Of each file, whether it names the person; not of one that is a trap for whoever looks through it."""
    try:
        return read_bounded(SMALL, are_named, files, words)
    except ReadersBusyError:
        raise
    except RefusedError:
        return (
            [False] if len(files) == 1 else [named for each in files for named in _are_named([each], words)]
        )


def _by_size(rows: Iterable[tuple[int, Any]]) -> Iterator[list[tuple[int, bytes]]]:
    """The rows a few at a time, as much as is looked through at once."""
    some, size = list[tuple[int, bytes]](), 0
    for report, data in rows:
        if some and size + len(data) > AT_ONCE:
            yield some
            some, size = [], 0
        some.append((report, bytes(data)))
        size += len(data)
    if some:
        yield some


def _with_games(pool: Pool, ids: Collection[str]) -> QuerySet[Report]:
    played = Q(white__in=ids) | Q(black__in=ids)
    rows: tuple[QuerySet[Any], ...] = (
        Game.objects.filter(played, pool=pool),
        GoGame.objects.filter(played, pool=pool),
        Bye.objects.filter(pool=pool, player_id__in=ids),
        Player.objects.filter(pool=pool, player_id__in=ids),
    )
    of = Q(decisions__player_id__in=ids)
    for each in rows:  # asked for within the query: of a Go server one player may have very many games
        of |= Q(steps__entry__in=each.values("entry"))
    return Report.objects.filter(of, pool=pool).distinct()


def _is_named(report: Report, pool: Pool, ids: Collection[str], redactor: Redactor) -> bool:
    """Whether a report has a player with one of the ids, or whose name is one of the person's."""
    fide: set[str] = set(
        Player.objects.filter(pool=pool, player_id__in=ids).values_list("fide_id", flat=True)
    ) - {""}
    for _, found in read_contents(report).incoming.reports:
        for player in found.players:
            names = f"{player.name}\n{player.name_native}"
            if player.national_id in ids or player.fide_id in fide or redactor.is_in(names):
                return True
    return False


def open_inquiries(pool: Pool, ids: Collection[str], redactor: Redactor) -> Iterator[Inquiry]:
    """The inquiries under way that name the person, by an id or by a name, or are of the player."""
    named = any_id(ids)
    of_player = set(Objection.objects.filter(player_id__in=ids).values_list("inquiry", flat=True))
    for inquiry in pool.inquiries.filter(state=Inquiry.State.OPEN).order_by("pk"):
        said = [inquiry.asked_by, inquiry.about, inquiry.draft]
        if inquiry.pk in of_player or redactor.is_in(said) or is_found(named, said):
            yield inquiry


def files_of(reports: Collection[Report]) -> list[ReportFile]:
    """Their files that still have their bytes."""
    rows = ReportFile.objects.filter(report__in=reports, erased=None)
    return list(rows.defer("data").order_by("pk"))
