"""Pages that are sent again only when they have changed: the lists, the book, or the reader's cookies."""

from collections.abc import Callable, Collection
from datetime import datetime
from functools import partial, wraps
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from django.db.models import Max
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.timezone import localdate
from django.utils.translation import get_language
from django.views.decorators.http import condition

from banzuke.core.fault import RefusedError
from banzuke.database.models import (
    ComingList,
    Entry,
    Inquiry,
    Pool,
    RatingErrors,
    RatingList,
    ReformStep,
    ReportSaid,
    ReportStep,
    SanctionStep,
)
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.demo import find_demo
from banzuke.office.transparency.log_checkpoints import signed_log

View = Callable[..., HttpResponseBase]
#: What is not published yet; applications and reports with their steps; what became of objections; what was
#: signed of the log; what was done about reforms.
COMING, OFFICE, OBJECTIONS, LOG, REFORMS = "coming", "office", "objections", "log", "reforms"


def conditional(view: View, shows: Collection[str] = ()) -> View:
    """A public page of a pool with an ETag and the time of its last change; 304 where both hold.

    One of all pools has the ETag alone: a pool that was imported may be seen long after its last entry.
    `shows` is what it shows besides lists and the book (`COMING` and the others here). Who is signed in gets
    every page anew, and so does everybody in a demo.
    """
    tagged = condition(partial(_tag, shows=shows), partial(_last_modified, shows=shows))(view)

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **words: Any) -> HttpResponseBase:
        if request.user.is_authenticated or find_demo() is not None:  # whose guide goes on
            return view(request, *args, **words)
        answer = tagged(request, *args, **words)
        patch_cache_control(answer, private=True, no_cache=True)
        return answer

    return page


#: Only for a page of one pool.
conditional_with_coming = partial(conditional, shows={COMING})
#: Only for a page of one pool.
conditional_on_office = partial(conditional, shows={COMING, OFFICE})
conditional_on_objections = partial(conditional, shows={OBJECTIONS})
conditional_on_reforms = partial(conditional, shows={REFORMS})
conditional_on_log = partial(conditional, shows={LOG})
conditional_on_objections_and_log = partial(conditional, shows={OBJECTIONS, LOG})


def unchanged(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """An answer for programs with the tag of its bytes; 304 to who has it already."""
    tag = f'"{sha256(answer.content).hexdigest()}"'
    answer["ETag"] = tag
    patch_cache_control(answer, no_cache=True)
    found = get_conditional_response(request, etag=tag, response=answer)
    return found if isinstance(found, HttpResponse) else answer


def _tag(request: HttpRequest, pool: Pool | None = None, *, shows: Collection[str], **_: Any) -> str:
    known = (version("banzuke"), localdate(), get_language(), request.get_full_path())
    cookies = request.META.get("HTTP_COOKIE", "")
    state = _state(request, pool, shows)
    return f'"{sha256(repr((*known, cookies, *state)).encode()).hexdigest()}"'


def _last_modified(
    request: HttpRequest, pool: Pool | None = None, *, shows: Collection[str], **_: Any
) -> datetime | None:
    if pool is None:
        return None
    state = _state(request, pool, shows)
    moments: list[datetime] = [at for at in state if isinstance(at, datetime)]
    return max(moments, default=None)


def _state(request: HttpRequest, pool: Pool | None, shows: Collection[str]) -> tuple[Any, ...]:
    """The last list, when it came and when one became final, and the last entry, of the pool (None: of all).

    Then how many pools there are: the entry of one that was imported may not be the last. It is asked once.
    The next moments are that of the coming list, which is made anew also when a report changes, and when
    errors of ratings were last shown or hidden; then come where players write, the last inquiry and its last
    step, and the last steps of applications and reports, of whatever pool.
    """
    if not hasattr(request, "_banzuke_state"):
        lists = RatingList.objects.all() if pool is None else RatingList.objects.filter(pool=pool)
        entries = Entry.objects.all() if pool is None else Entry.objects.filter(pool=pool)
        listed = lists.aggregate(pk=Max("pk"), at=Max("published_at"), final=Max("final__at"))
        entered = entries.aggregate(pk=Max("pk"), at=Max("at"))
        coming = ComingList.objects.filter(pool=pool).values_list("made_at", flat=True)
        errors = RatingErrors.objects.filter(pool=pool).order_by("-pk").values_list("at", flat=True)
        made = (coming.first(), errors.first()) if COMING in shows else ()
        steps = (*(_last_steps() if OFFICE in shows else ()), *(_signed() if LOG in shows else ()))
        office = office_settings()
        said = office.contact, office.licence
        objected = _last_objections() if OBJECTIONS in shows else ()
        reformed = _last_reforms(pool) if REFORMS in shows else ()
        pools = Pool.objects.count() if pool is None else 1
        state = (*listed.values(), *entered.values(), pools, *made, *said, *objected, *steps, *reformed)
        request._banzuke_state = state  # type: ignore[attr-defined]  # noqa: SLF001
    found: tuple[Any, ...] = request._banzuke_state  # type: ignore[attr-defined]  # noqa: SLF001
    return found


def _last_reforms(pool: Pool | None) -> tuple[Any, ...]:
    steps = ReformStep.objects.filter(reform__pool=pool)
    return tuple(steps.aggregate(pk=Max("pk"), at=Max("at")).values())


def _last_objections() -> tuple[Any, ...]:
    return tuple(Inquiry.objects.aggregate(pk=Max("pk"), at=Max("steps__at")).values())


def _signed() -> tuple[Any, ...]:
    """What was signed of the log, or why nothing was."""
    try:
        return (signed_log().note,)
    except RefusedError as refused:
        return (refused.faults[0],)


def _last_steps() -> tuple[Any, ...]:
    tables: tuple[Any, ...] = (SanctionStep, ReportStep, ReportSaid)
    last = [table.objects.order_by("-pk").values_list("pk", "at").first() for table in tables]
    return tuple(part for one in last for part in one or (None, None))
