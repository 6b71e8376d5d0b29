"""Pages that are sent again only when they have changed: the lists, the book, or the reader's cookies."""

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from django.db.models import Max
from django.http import HttpRequest, HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.timezone import localdate
from django.utils.translation import get_language
from django.views.decorators.http import condition

from banzuke.database.models import Entry, Pool, RatingList

View = Callable[..., HttpResponseBase]


def conditional(view: View) -> View:
    """A public page of a pool (or of all) with an ETag and the time of its last change; 304 where both hold.

    Who is signed in gets every page anew.
    """
    tagged = condition(_tag, _last_modified)(view)

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **words: Any) -> HttpResponseBase:
        if request.user.is_authenticated:
            return view(request, *args, **words)
        answer = tagged(request, *args, **words)
        patch_cache_control(answer, private=True, no_cache=True)
        return answer

    return page


def _tag(request: HttpRequest, pool: Pool | None = None, **_: Any) -> str:
    known = (version("banzuke"), localdate(), get_language(), request.get_full_path())
    cookies = request.META.get("HTTP_COOKIE", "")
    return f'"{sha256(repr((*known, cookies, *_state(request, pool))).encode()).hexdigest()}"'


def _last_modified(request: HttpRequest, pool: Pool | None = None, **_: Any) -> datetime | None:
    moments: list[datetime] = [at for at in _state(request, pool)[2:] if at]
    return max(moments, default=None)


def _state(request: HttpRequest, pool: Pool | None) -> tuple[Any, ...]:
    """The last list and the last entry of the pool (None: of all), and when they came; asked once."""
    if not hasattr(request, "_banzuke_state"):
        lists = RatingList.objects.all() if pool is None else RatingList.objects.filter(pool=pool)
        entries = Entry.objects.all() if pool is None else Entry.objects.filter(pool=pool)
        listed = lists.aggregate(pk=Max("pk"), at=Max("published_at"))
        entered = entries.aggregate(pk=Max("pk"), at=Max("at"))
        state = (listed["pk"], entered["pk"], listed["at"], entered["at"])
        request._banzuke_state = state  # type: ignore[attr-defined]  # noqa: SLF001
    found: tuple[Any, ...] = request._banzuke_state  # type: ignore[attr-defined]  # noqa: SLF001
    return found
