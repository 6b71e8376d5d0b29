"""Pages that are sent again only when they have changed: the lists, the book, or the reader's cookies."""

from collections.abc import Callable
from datetime import datetime
from functools import partial, wraps
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from django.db.models import Max
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.timezone import localdate
from django.utils.translation import get_language
from django.views.decorators.http import condition

from banzuke.database.models import ComingList, Entry, Pool, RatingList, ReportSaid, ReportStep, SanctionStep
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.demo import find_demo

View = Callable[..., HttpResponseBase]


def conditional(view: View, *, shows_coming: bool = False, shows_office: bool = False) -> View:
    """A public page of a pool (or of all) with an ETag and the time of its last change; 304 where both hold.

    `shows_coming`: it shows what is not published yet, too; `shows_office`: applications and reports with
    their steps. Who is signed in gets every page anew, and so does everybody in a demo.
    """
    shows: dict[str, Any] = {"shows_coming": shows_coming, "shows_office": shows_office}
    tagged = condition(partial(_tag, **shows), partial(_last_modified, **shows))(view)

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **words: Any) -> HttpResponseBase:
        if request.user.is_authenticated or find_demo() is not None:  # whose guide goes on
            return view(request, *args, **words)
        answer = tagged(request, *args, **words)
        patch_cache_control(answer, private=True, no_cache=True)
        return answer

    return page


#: For a page of one pool that shows what is not published yet.
conditional_with_coming = partial(conditional, shows_coming=True)
#: For a page that shows applications and reports.
conditional_on_office = partial(conditional, shows_coming=True, shows_office=True)


def _tag(
    request: HttpRequest, pool: Pool | None = None, *, shows_coming: bool, shows_office: bool, **_: Any
) -> str:
    known = (version("banzuke"), localdate(), get_language(), request.get_full_path())
    cookies = request.META.get("HTTP_COOKIE", "")
    state = _state(request, pool, shows_coming=shows_coming, shows_office=shows_office)
    return f'"{sha256(repr((*known, cookies, *state)).encode()).hexdigest()}"'


def _last_modified(
    request: HttpRequest, pool: Pool | None = None, *, shows_coming: bool, shows_office: bool, **_: Any
) -> datetime | None:
    state = _state(request, pool, shows_coming=shows_coming, shows_office=shows_office)
    moments: list[datetime] = [at for at in state if isinstance(at, datetime)]
    return max(moments, default=None)


def _state(
    request: HttpRequest, pool: Pool | None, *, shows_coming: bool, shows_office: bool
) -> tuple[Any, ...]:
    """The last list, when it came and when one became final, and the last entry, of the pool (None: of all).

    It is asked once. The next moment is that of the coming list, which is made anew also when a report
    changes; then come where players write, and the last steps of applications and reports, of whatever pool.
    """
    if not hasattr(request, "_banzuke_state"):
        lists = RatingList.objects.all() if pool is None else RatingList.objects.filter(pool=pool)
        entries = Entry.objects.all() if pool is None else Entry.objects.filter(pool=pool)
        listed = lists.aggregate(pk=Max("pk"), at=Max("published_at"), final=Max("final__at"))
        entered = entries.aggregate(pk=Max("pk"), at=Max("at"))
        coming = ComingList.objects.filter(pool=pool).values_list("made_at", flat=True)
        made = coming.first() if shows_coming else None
        steps = _last_steps() if shows_office else ()
        office = office_settings()
        said = office.contact, office.licence
        state = (*listed.values(), entered["pk"], entered["at"], made, *said, *steps)
        request._banzuke_state = state  # type: ignore[attr-defined]  # noqa: SLF001
    found: tuple[Any, ...] = request._banzuke_state  # type: ignore[attr-defined]  # noqa: SLF001
    return found


def _last_steps() -> tuple[Any, ...]:
    tables: tuple[Any, ...] = (SanctionStep, ReportStep, ReportSaid)
    last = [table.objects.order_by("-pk").values_list("pk", "at").first() for table in tables]
    return tuple(part for one in last for part in one or (None, None))
