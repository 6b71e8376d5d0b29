"""Who may see a page: a decorator on each view. A test compares all addresses with a table."""

from collections.abc import Callable
from functools import partial, wraps
from typing import Any
from urllib.parse import urlsplit

from django.contrib.auth.models import User
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render

from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Role
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.administration.users import has_second_factor
from banzuke.office.journal import Actor
from banzuke.office.register.members import StruckMembershipError, UnknownMemberError
from banzuke.web.accounts.interrupted_forms import page_to_sign_in

View = Callable[..., HttpResponseBase]

#: The kinds of role from the least to the most.
KINDS = [Role.Kind.REPORTER, Role.Kind.OFFICER, Role.Kind.CHIEF, Role.Kind.ADMINISTRATOR]


def of_chess(view: View) -> View:
    """A page that a Go pool does not have: its players come with their games."""

    @wraps(view)
    def page(request: HttpRequest, pool: Pool, **words: Any) -> HttpResponseBase:
        if rules_of(pool).is_go:
            return render(request, "register/go.html", {"pool": pool}, status=404)
        return view(request, pool, **words)

    return page


#: The attribute of a view that takes files: the most bytes that may be sent to it.
MOST_SENT = "most_sent"


def takes_files(mebibytes: int) -> Callable[[View], View]:
    """A page to which files may be sent, so much together; other pages take little (`server/gate`)."""

    def mark(view: View) -> View:
        setattr(view, MOST_SENT, (mebibytes + 1) << 20)  # and what goes around them
        return view

    return mark


def page_for(kind: Role.Kind | None, view: View) -> View:
    """A page for who has that role or more (None: everybody). `slug` in its address becomes the `pool`.

    A member who is not in the register, and a membership that does not stand, is a page not found.
    """

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **words: Any) -> HttpResponseBase:
        slug = words.pop("slug", None)
        if kind is not None and not request.user.is_authenticated:
            return _to_sign_in(request)
        pool = None
        if slug is not None:
            pool = words["pool"] = get_object_or_404(Pool, slug=slug)
        if kind is not None and not has_role(request, kind, pool):
            raise PermissionDenied
        if kind is not None and lacks_factor(request):
            return redirect("mfa_activate_totp")
        try:
            answer = view(request, *args, **words)
        except (UnknownMemberError, StruckMembershipError):  # also where another officer was faster
            raise Http404 from None
        return _with_cache_header(answer, request, kind)

    return page


#: A page for everybody.
public = partial(page_for, None)
#: A page for a club's reporter and everybody above; what a reporter sees is limited by `clubs_of`.
reporter = partial(page_for, Role.Kind.REPORTER)
#: A page for the pool's officers.
officer = partial(page_for, Role.Kind.OFFICER)
#: A page for the pool's chief officers: publishing, correcting, waiving.
chief = partial(page_for, Role.Kind.CHIEF)
#: A page for who runs the installation.
administrator = partial(page_for, Role.Kind.ADMINISTRATOR)


def chess_officer(view: View) -> View:
    """A page for the officers of a chess pool."""
    return officer(of_chess(view))


def _to_sign_in(request: HttpRequest) -> HttpResponseBase:
    """The way to sign in, which carries a form on that was sent.

    Where a part of a page was asked for, the whole page goes there and comes back.
    """
    if "HX-Request" not in request.headers:
        carrying = page_to_sign_in(request) if request.method == "POST" else None
        return carrying or redirect_to_login(request.get_full_path())
    page = urlsplit(request.headers.get("HX-Current-URL", ""))
    back = page._replace(scheme="", netloc="", fragment="").geturl() or request.get_full_path()
    return HttpResponse(headers={"HX-Redirect": redirect_to_login(back)["Location"]})


def _with_cache_header(
    answer: HttpResponseBase, request: HttpRequest, kind: Role.Kind | None
) -> HttpResponseBase:
    """The answer, which no cache keeps for others; nor does an officer's own browser after signing out.

    On a page for reporters, too, an officer sees more of people than everybody may.
    """
    if kind is not None and has_role(request, Role.Kind.OFFICER, None):
        answer.setdefault("Cache-Control", "no-store")
    elif request.user.is_authenticated:
        answer.setdefault("Cache-Control", "private, no-cache")
    return answer


def has_role(request: HttpRequest, kind: Role.Kind, pool: Pool | None) -> bool:
    """Whether the visitor has that role or more, in the pool (None: in any).

    An administrator is one of the whole installation: in a single pool that role is a chief officer's.
    """
    return any(
        KINDS.index(_kind_in_effect(role)) >= KINDS.index(kind)
        and (role.pool_id is None or pool is None or role.pool_id == pool.pk)
        for role in roles(request)
    )


def _kind_in_effect(role: Role) -> Role.Kind:
    kind = Role.Kind(role.kind)
    return Role.Kind.CHIEF if kind is Role.Kind.ADMINISTRATOR and role.pool_id is not None else kind


def lacks_factor(request: HttpRequest) -> bool:
    """Whether the visitor is an officer who must set up a second factor first."""
    return (
        has_role(request, Role.Kind.OFFICER, None)
        and office_settings().second_factor_required
        and not has_second_factor(request.user)
    )


def roles(request: HttpRequest) -> list[Role]:
    """The visitor's roles, asked for once a request."""
    if not request.user.is_authenticated:
        return []
    if not hasattr(request, "_banzuke_roles"):
        request._banzuke_roles = list(Role.objects.filter(user=request.user))  # type: ignore[attr-defined]  # noqa: SLF001
    found: list[Role] = request._banzuke_roles  # type: ignore[attr-defined]  # noqa: SLF001
    return found


def clubs_of(request: HttpRequest, pool: Pool) -> set[str] | None:
    """The clubs whose reports the visitor may see in the pool; None: all, as an officer may."""
    if has_role(request, Role.Kind.OFFICER, pool):
        return None
    return {role.club_id for role in roles(request) if role.pool_id in (None, pool.pk) and role.club_id}


def user(request: HttpRequest) -> User | None:
    """Who is signed in; None: nobody is."""
    return request.user if request.user.is_authenticated else None


def actor(request: HttpRequest) -> Actor:
    """Who acts in this request, for entries and the journal."""
    return Actor(request.user.get_username(), request.META.get("REMOTE_ADDR", ""))


def pools_of(request: HttpRequest) -> list[Pool]:
    """The pools in which the visitor has a role, by their words; a role without a pool holds in all."""
    mine = [role.pool_id for role in roles(request)]
    every = Pool.objects.order_by("slug")
    return list(every if None in mine else every.filter(pk__in=[pool for pool in mine if pool is not None]))


def require(request: HttpRequest, kind: Role.Kind, pool: Pool | None) -> None:
    """Raise PermissionDenied unless the visitor has that role or more: for acts within a page."""
    if not has_role(request, kind, pool):
        raise PermissionDenied
