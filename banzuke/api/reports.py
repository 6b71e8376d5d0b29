"""Reports sent by a program, and where they stand."""

import re
from datetime import date, datetime
from typing import Annotated, Any, Literal

from django.contrib.auth.models import User
from django.db.models import Max, Q
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import File, Form, Query, Router, Schema, Status
from ninja.errors import AuthorizationError
from ninja.files import UploadedFile
from pydantic import BeforeValidator, Field, WithJsonSchema

from banzuke.api import params, word_sets
from banzuke.api.auth import PRIVATE, REPORT_LIMITS, REPORTS, Key, caller, pool_of
from banzuke.api.live.go_schemas import Side
from banzuke.api.live.go_serializers import sides_of
from banzuke.api.players import language
from banzuke.api.problems import ProblemError, problem
from banzuke.api.serializers import serialize
from banzuke.core import facts
from banzuke.core.fault import RefusedError
from banzuke.database.models import Pool, Report, Role
from banzuke.database.models.reports import OPEN_STATES
from banzuke.engine.go_history import RatedGame
from banzuke.office.bounded_reading import ReadersBusyError
from banzuke.office.event_progress import EventProgress, progress_of_reports
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox import reports as inbox
from banzuke.office.inbox.club_questions import questions
from banzuke.office.inbox.event_fields import fields_to_json
from banzuke.office.inbox.problems import problem_text
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.report_files import MIB, MOST_MIB_TOGETHER
from banzuke.office.inbox.reports import status_of
from banzuke.office.inbox.review import review_for_club, review_report
from banzuke.office.journal import Actor
from banzuke.office.progress_sentences import sentence
from banzuke.words import Language, fault_text

router = Router(tags=["reports"], auth=Key(REPORTS))
_MOST = 10_000
#: The bytes of a report, and what goes around its files.
MOST_SENT = (MOST_MIB_TOGETHER + 1) * MIB


def _written_day(text: str) -> str:
    """A day as it is to be written; numbers and times are none, though pydantic reads them as one."""
    if not re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", text):
        raise ValueError("Write the day as YYYY-MM-DD.")
    return text


#: Parts of a form: left out, they say nothing; there is no way to write that they are blank.
Day = Annotated[
    date | None, BeforeValidator(_written_day), WithJsonSchema({"type": "string", "format": "date"})
]
Switch = Annotated[bool | None, WithJsonSchema({"type": "boolean"})]
Text = Annotated[
    params.Word | None,
    WithJsonSchema({"type": "string", "maxLength": params.MOST_CHARS, "pattern": params.PLAIN}),
]
Whole = Annotated[
    int | None, Field(ge=0, le=_MOST), WithJsonSchema({"type": "integer", "minimum": 0, "maximum": _MOST})
]
AtSpeed = Annotated[
    params.Speed | None, WithJsonSchema({"type": "string", "enum": ["standard", "rapid", "blitz"]})
]


class EventFields(Schema):
    """What the file does not say of the event; `club` is needed of who reports for several."""

    club: params.Word = Field("", description="The club's id; needed of who reports for several")
    name: Text = Field(None, description="The event's name")
    place: Text = Field(None, description="Where it was played")
    responsible: Text = Field(None, description="Who is responsible for the event")
    reporter: Text = Field(None, description="Who reports it")
    speed: AtSpeed = Field(None, description="The speed")
    base_minutes: Whole = Field(None, description="Minutes for the game")
    increment_seconds: Whole = Field(None, description="Seconds added for each move")
    fide_rated: Switch = Field(None, description="Whether FIDE rates the event")
    starts: Day = Field(None, description="The first day")
    ends: Day = Field(None, description="The last day")
    nonmembers: Whole = Field(None, description="How many players are no members")


class Problem(Schema):
    """What is wrong: it `blocks` the report, `excludes` games, or `warns`; the clause, and a sentence."""

    weight: word_sets.Weight = Field(
        description="Whether it blocks the report, excludes games, or only warns"
    )
    clause: str = Field(description="The clause of the rule book; blank: none")
    text: str = Field(description="The problem in a sentence")


class EventState(Schema):
    """An event of an accepted report: its list, and once that is published how many sides are rated."""

    event: str = Field(description="The event's id")
    name: str = Field(description="The event's name")
    list: str = Field(description="The list that has it, or will have it")
    is_published: bool = Field(description="Whether that list is published")
    rated: int = Field(description="How many sides of games are rated")
    games: int = Field(description="How many sides of games the event has")


class ReportState(Schema):
    """Where a report stands (waiting, held, returned, accepted, refused, withdrawn), and why.

    `says` is the same in a sentence; `turn` who acts next: the club, the office, or (blank) nobody.
    """

    report: int = Field(description="The report's number")
    received_at: datetime = Field(description="When it came")
    club: str = Field(description="The club's id; blank: none")
    title: str = Field(description="What it is called in the office")
    state: word_sets.ReportStateWord = Field(description="Where it stands")
    why: str = Field(description="The officer's reason; blank: none was given")
    since: datetime = Field(description="When it came to stand so")
    answered_by: int | None = Field(
        description="The number of the report that was sent in its place; null: none"
    )
    is_rated: bool = Field(description="Whether all its events are in published lists")
    says: str = Field(description="Where it stands, in a sentence")
    turn: Literal["club", "office", ""] = Field(description="Who acts next; blank: nobody")
    events: list[EventState] = Field(description="Its events, once it is accepted")


class GameSeen(Schema):
    """A game of Go of a report: what it would do for both sides, or did, if it is there already."""

    game: str = Field(description="The game's id")
    ended: datetime = Field(description="When the game ended")
    is_new: bool = Field(description="False if the office had the game already")
    black: Side = Field(description="What it did for Black")
    white: Side = Field(description="What it did for White")


class ReportSeen(ReportState):
    """A report with its files; until it is decided on, what is wrong with it, and its games of Go."""

    files: list[str] = Field(description="The names of its files")
    problems: list[Problem] = Field(description="What is wrong with it, until it is decided on")
    games: list[GameSeen] = Field(description="Its games of Go, until it is decided on")


class Reports(Schema):
    """Reports, the newest first, and what `before` is to be for the next ones."""

    reports: list[ReportState] = Field(description="Reports, the newest first")
    next: int | None = Field(description="What `before` is for the next ones; null: there are no more")


@router.post(
    "/pools/{slug:pool}/reports", response={200: ReportSeen, 201: ReportSeen}, throttle=REPORT_LIMITS
)
def send(
    request: HttpRequest,
    pool: params.PoolWord,
    files: Annotated[list[UploadedFile], File(min_length=1, description="The report's files")],
    fields: Form[EventFields],
    lang: params.Lang = None,
) -> Any:
    """Send a report: its files, and what they do not say. A page that a report waited for joins it (200).

    The same files again are the same report (200). They change nothing of it: sent with something that was
    never said of it, they are refused (409).
    A file that is no report is refused (422) with the reason, and nothing is kept.
    """
    to = pool_of(pool)
    user = _user(request)
    said = fields.model_dump(exclude={"club"}, exclude_none=True)
    given = {name: value for name, value in said.items() if value != ""}
    club = _club(user, to, fields.club)
    actor = Actor(user.get_username(), request.META.get("REMOTE_ADDR", ""))
    sent = [(file.name or "", file.read()) for file in files]
    newest_before = Report.objects.filter(pool=to).aggregate(last=Max("pk"))["last"] or 0
    try:
        report = receive(to, sent, given, Sender(actor, user, club, Report.Source.API))
    except RefusedError as error:
        said_in = language(request, lang)
        kind = "readers-busy" if isinstance(error, ReadersBusyError) else "no-report"
        raise ProblemError(kind, " ".join(fault_text(fault, said_in) for fault in error.faults)) from None
    if differing := _never_said(report, given):
        return _conflict(request, report, differing)
    is_new = report.pk > newest_before
    return Status(201 if is_new else 200, _report_with_files(request, report, language(request, lang)))


def _conflict(request: HttpRequest, report: Report, fields: list[str]) -> HttpResponse:
    """The answer to files that were there already, with fields that the report does not have."""
    detail = f"These files are report {report.pk} already; what else there is to say is said on its page."
    about = {"message": "This was never said of the report.", "code": "other-field"}
    errors = [{"where": f"form.{name}"} | about for name in fields]
    return problem(request, "conflict", detail, errors=errors)


def _never_said(report: Report, given: dict[str, Any]) -> list[str]:
    """The fields with what nobody has said of a report; what was said and then corrected is no news."""
    said = list(report.said.values_list("fields", flat=True))
    wanted = fields_to_json(given).items()
    return [name for name, value in wanted if not any((name, value) in row.items() for row in said)]


@router.get("/pools/{slug:pool}/reports", response=Reports)
def reports(
    request: HttpRequest,
    pool: params.PoolWord,
    state: Annotated[
        Literal["waiting", "held", "returned", "accepted", "refused", "withdrawn"] | None,
        Query(description="Only those that stand so"),
    ] = None,
    limit: Annotated[int, Query(ge=1, le=params.MOST_ROWS, description="How many reports")] = 20,
    before: Annotated[
        int | None,
        Query(ge=1, le=2**31 - 1, description="Only reports before this one: `next` of the page before"),
    ] = None,
    offset: params.Offset = 0,
    lang: params.Lang = None,
) -> Any:
    """The reports of the clubs that the key's user reports for; an officer's key sees the pool's."""
    to = pool_of(pool)
    found = _own(request, to)
    if state is not None:
        found = found.filter(state=state)
    if before is not None:
        found = found.filter(pk__lt=before)
    more, said_in = list(found.order_by("-pk")[offset : offset + limit + 1]), language(request, lang)
    rows = more[:limit]
    stand = progress_of_reports(to, rows)
    return {
        "reports": [_state(each, one, said_in) for each, one in zip(rows, stand, strict=True)],
        "next": rows[-1].pk if len(more) > limit else None,
    }


@router.get("/pools/{slug:pool}/reports/{int:report}", response=ReportSeen)
def report(
    request: HttpRequest, pool: params.PoolWord, report: params.ReportNumber, lang: params.Lang = None
) -> Any:
    """Where a report stands: is it rated yet?"""
    found = _own(request, pool_of(pool)).filter(pk=report).first()
    if found is None:
        raise ProblemError("unknown-report")
    return _report_with_files(request, found, language(request, lang))


def _user(request: HttpRequest) -> User:
    return User.objects.get(username=caller(request).user)


def _own(request: HttpRequest, pool: Pool) -> Any:
    """The reports of the clubs that the key's user reports for; an officer's key sees the pool's."""
    return inbox.reports(pool, _clubs(_user(request), pool))


def _clubs(user: User, pool: Pool) -> set[str] | None:
    """The clubs that a user may report for; None: any, as an officer may."""
    roles = list(Role.objects.filter(Q(pool=pool) | Q(pool=None), user=user))
    is_officer = any(role.kind != Role.Kind.REPORTER for role in roles)
    return None if is_officer else {role.club_id for role in roles if role.club_id}


def _club(user: User, pool: Pool, wanted: str) -> str:
    """The club that a report is of: the reporter's; an officer may name any that there is, or none.

    Raises AuthorizationError for who may not report for it, ProblemError where it must be said.
    """
    clubs = _clubs(user, pool)
    if clubs is None:
        if wanted and not standing_rows(pool, facts.Club).filter(club_id=wanted).exists():
            raise ProblemError("no-club", f"There is no club {wanted}.")
        return wanted
    if not clubs or (wanted and wanted not in clubs):
        raise AuthorizationError
    if not wanted and len(clubs) > 1:
        raise ProblemError("no-club", f"Say for which `club`: {', '.join(sorted(clubs))}.")
    return wanted or min(clubs)


def _state(report: Report, progress: EventProgress, lang: Language) -> dict[str, Any]:
    standing = status_of(report)
    return serialize(
        ReportState,
        report,
        report=report.pk,
        club=report.club_id,
        why=standing.step.why,
        since=standing.step.at,
        answered_by=standing.answered_by,
        is_rated=standing.is_rated,
        says=sentence(progress, lang, timezone.localdate()),
        turn=str(progress.turn),
        events=[
            serialize(EventState, each, event=each.event_id, is_published=each.published is not None)
            for each in standing.events
        ],
    )


def _report_with_files(request: HttpRequest, report: Report, lang: Language) -> dict[str, Any]:
    """A report, and while it is open what the caller may read of it.

    An officer reads all only by a key for private data: the problems of members tell birth dates. A club,
    and any other key, reads what is wrong with the files and events.
    """
    is_club = _clubs(_user(request), report.pool) is not None
    reads_all = not is_club and PRIVATE in caller(request).scopes
    looked, asked = None, {}
    if report.state in OPEN_STATES:
        today = timezone.localdate()
        looked = review_report(report, today) if reads_all else review_for_club(report, today)
        of_club = review_for_club(report, today) if reads_all and report.club_id else looked
        asked = {report.pk: questions(of_club).number}
    progress = progress_of_reports(report.pool, [report], asked)[0]
    fields = [
        {"weight": each.weight, "clause": each.clause, "text": problem_text(each, lang)}
        for each in (looked.problems if looked else ())
    ]
    games = [_game(each, is_new=True) for each in looked.new_games] if looked else []
    games += [_game(each, is_new=False) for each in looked.known_games] if looked else []
    files = list(report.files.order_by("pk").values_list("name", flat=True))
    return _state(report, progress, lang) | {"files": files, "problems": fields, "games": games}


def _game(rated: RatedGame, *, is_new: bool) -> dict[str, Any]:
    about = {"game": rated.game.game_id, "ended": rated.game.ended, "is_new": is_new}
    return about | sides_of(rated.black, rated.white)
