"""What an erasure would take and what it would leave, before anybody confirms it."""

import itertools
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.auth import get_user_model
from django.db.models import Max, Q, QuerySet

from banzuke.database.append_only import CLOSED
from banzuke.database.book_reader import last_entry
from banzuke.database.models import (
    Erasure,
    Game,
    GoGame,
    GoPlayer,
    Inquiry,
    ListRow,
    Player,
    Pool,
    Report,
    ReportFile,
    Role,
)
from banzuke.database.models.reports import OPEN_STATES
from banzuke.office.erased_ids import is_erased
from banzuke.office.erasure.erased_columns import BLANKED, FREE_TEXTS, POOL_OF
from banzuke.office.erasure.naming_reports import (
    files_of,
    naming_reports,
    open_inquiries,
)
from banzuke.office.erasure.personal_words import known_words
from banzuke.office.erasure.redactor import Redactor, any_id, is_found
from banzuke.office.merged_ids import kept_id, merged_into
from banzuke.office.refusals import AlreadyErasedError, ErasureWaitsError, NobodyToEraseError
from banzuke.office.transparency.office_log import logged_until
from banzuke.transparency.list_leaves import PERSON

#: As many digits has a number in the place of an id: they are not those that a server counts by.
DIGITS = 8
#: So many rows are looked through at once.
ROWS = 2_000


class TextChange(NamedTuple):
    """A row with a text in which the person's words are replaced: its table, number, and new cells."""

    table: str
    row: int
    cells: dict[str, Any]


class TableCount(NamedTuple):
    """Of a table so many rows lose what is in those columns."""

    table: str
    columns: tuple[str, ...]
    rows: int


class ErasurePlan(NamedTuple):
    """An erasure as of an entry: the person's ids, the kept one first; what waits, what goes, what stays.

    `reports` and `inquiries` must be decided on first. `accounts` are closed: they have the person's e-mail.
    `number` takes the place of the id of a Go player; blank: the id stays. `seen` is the last row of each
    table that was looked through.
    """

    pool: Pool
    ids: tuple[str, ...]
    position: int
    reports: list[Report]
    inquiries: list[Inquiry]
    counts: list[TableCount]
    files: list[ReportFile]
    accounts: list[Any]
    texts: list[TextChange]
    games: int
    lists: int
    seen: Mapping[str, int]
    number: str = ""

    @property
    def player(self) -> str:
        """The id that is kept."""
        return self.ids[0]

    @property
    def ids_after(self) -> tuple[str, ...]:
        """The ids afterwards."""
        return (self.number,) if self.number else self.ids

    @property
    def waits(self) -> bool:
        """Whether something is to be decided first."""
        return bool(self.reports or self.inquiries)


def plan_erasure(pool: Pool, player_id: str, number: str | None = None) -> ErasurePlan:
    """What erasing the person of that id would do; `number` is the one for a Go player's id, if it is known.

    Raises NobodyToEraseError, AlreadyErasedError; ReadersBusyError while others have files read.
    """
    kept = kept_id(pool, player_id)
    ids = (kept, *sorted(merged_into(pool, [kept])))
    of = Q(pool=pool, player_id__in=ids)
    if not (Player.objects.filter(of).exists() or GoPlayer.objects.filter(of).exists()):
        if is_erased(pool, player_id):
            raise AlreadyErasedError(player=player_id)
        raise NobodyToEraseError(player=player_id)
    number = _number_for(pool, kept) if number is None else number
    position, words = last_entry(pool), known_words(pool, ids)
    redactor, seen = Redactor(words, number or kept), _last_rows(pool)
    naming, texts = naming_reports(pool, ids, words, {}), list(_text_changes(pool, redactor, ids, {}))
    played = Q(white__in=ids) | Q(black__in=ids)
    plan = ErasurePlan(
        pool,
        ids,
        position,
        [report for report in naming if report.state in OPEN_STATES],
        list(open_inquiries(pool, ids, redactor)),
        [*_counts(pool, ids), *_text_counts(texts)],
        files_of(naming),
        _accounts(words.others),
        texts,
        Game.objects.filter(played, pool=pool).count() + GoGame.objects.filter(played, pool=pool).count(),
        ListRow.objects.filter(list__pool=pool, player_id__in=ids).values("list").distinct().count(),
        seen,
        number,
    )
    if is_erased(pool, kept) and not (plan.files or plan.texts or words.every):
        raise AlreadyErasedError(player=player_id)
    return plan


def with_what_came(plan: ErasurePlan) -> ErasurePlan:
    """The plan as it is for who keeps others from writing: what was written since it was made comes to it.

    The book has not moved on meanwhile, but somebody may have asked, paid or sent something. Raises
    ErasureWaitsError where that is to be decided on.
    """
    pool, ids = plan.pool, plan.ids
    words = known_words(pool, ids)
    redactor = Redactor(words, plan.number or plan.player)
    naming = naming_reports(pool, ids, words, plan.seen)
    came = plan._replace(
        reports=[report for report in naming if report.state in OPEN_STATES],
        inquiries=list(open_inquiries(pool, ids, redactor)),
    )
    if came.waits and not plan.waits:
        raise waits_error(came)
    stays = {each for each in FREE_TEXTS if each.lower() in CLOSED}
    texts = [change for change in plan.texts if change.table in stays]
    texts += _text_changes(pool, redactor, ids, {each: plan.seen[each] for each in stays})
    files = {each.pk: each for each in (*plan.files, *files_of(naming))}
    return came._replace(texts=texts, files=list(files.values()))


def waits_error(plan: ErasurePlan) -> ErasureWaitsError:
    """The refusal that says what is to be decided first."""
    numbers = [report.pk for report in plan.reports], [inquiry.pk for inquiry in plan.inquiries]
    said = [", ".join(map(str, each)) or "–" for each in numbers]
    return ErasureWaitsError(player=plan.player, reports=said[0], inquiries=said[1])


def _last_rows(pool: Pool) -> dict[str, int]:
    """The number of the pool's last row in each table that is looked through.

    Of all pools' rows, one with a lower number may be seen later.
    """
    tables = (*FREE_TEXTS, "Report")
    return {each: rows_of(pool, each).aggregate(last=Max("pk"))["last"] or 0 for each in tables}


def _number_for(pool: Pool, player_id: str) -> str:
    """The number for a Go player's id; blank where it is one, or where published rankings may have it.

    Their bytes, and what they were made from, are in the log: there an id cannot be another one.
    """
    mine = GoPlayer.objects.filter(pool=pool, player_id=player_id)
    if player_id.isdecimal() or not mine.exists() or mine.filter(entry_id__lte=logged_until(pool)).exists():
        return ""
    count = Erasure.objects.filter(pool=pool).exclude(former=None).count()
    numbers = (f"{number:0{DIGITS}}" for number in itertools.count(count + 1))
    return next(each for each in numbers if not GoPlayer.objects.filter(pool=pool, player_id=each).exists())


def _counts(pool: Pool, ids: tuple[str, ...]) -> Iterator[TableCount]:
    """The rows that are of the person."""
    of: dict[str, Iterable[str]] = {
        "Player": ("name", "name_native", "birth_date", "sex", "club_id", "fide_id", "title"),
        "GoPlayer": ("name",),
        "Contact": BLANKED["Contact"],
        "ListRow": PERSON,
        "ReportDecision": BLANKED["ReportDecision"],
        "Objection": BLANKED["Objection"],
        "PlayerSalt": ("salt",),
    }
    for table, columns in of.items():
        count = rows_of(pool, table).filter(player_id__in=ids).count()
        if count:
            yield TableCount(table, tuple(columns), count)


def _text_counts(texts: list[TextChange]) -> Iterator[TableCount]:
    """The texts in which the person is named."""
    for table in dict.fromkeys(change.table for change in texts):
        found = [change for change in texts if change.table == table]
        yield TableCount(table, tuple(sorted({name for each in found for name in each.cells})), len(found))


def rows_of(pool: Pool, table: str) -> QuerySet[Any]:
    """The rows of a table that are of the pool."""
    rows: QuerySet[Any] = QuerySet(apps.get_model("book", table))
    return rows.filter(**{POOL_OF.get(table, "pool"): pool})


def _text_changes(
    pool: Pool, redactor: Redactor, ids: Collection[str], since: Mapping[str, int]
) -> Iterator[TextChange]:
    """Every text of the pool in which the person's words are; in rows about the person days of birth, too.

    Of each table only rows after the number in `since` are looked through.
    """
    named = any_id(ids)
    for table, columns in FREE_TEXTS.items():
        rows = (
            rows_of(pool, table).filter(pk__gt=since.get(table, 0)).order_by("pk").values_list("pk", *columns)
        )
        for number, *cells in rows.iterator(chunk_size=ROWS):
            if not (redactor.is_in(cells) or is_found(named, cells)):
                continue
            new = [redactor.value(cell, with_days=True) for cell in cells]
            of_cells = zip(columns, cells, new, strict=True)
            changed = {name: after for name, before, after in of_cells if after != before}
            if changed:
                yield TextChange(table, number, changed)


def _accounts(words: frozenset[str]) -> list[Any]:
    """The accounts with the person's e-mail address; not those of officers, who close them themselves."""
    mails = {word.lower() for word in words if "@" in word}
    officers = Role.objects.exclude(kind=Role.Kind.REPORTER).values("user")
    users = get_user_model().objects.exclude(email="").exclude(pk__in=officers)
    return [user for user in users if user.email.lower() in mails]
