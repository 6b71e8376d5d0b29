"""Pages of merges: two entries of one person beside each other, put together, taken apart."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from banzuke.core import facts
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool
from banzuke.database.two_names import name_here
from banzuke.office.fact_rows import standing_rows
from banzuke.office.register import members, player_merge
from banzuke.web import access
from banzuke.web.register.field_labels import labelled_fields
from banzuke.web.register.member_forms import WhyForm
from banzuke.web.register.member_pages import say_lists_may_change, why_no_unmerging
from banzuke.web.shortcuts import pool_page, show_errors

#: So many entries are offered, and so many obstacles are told one by one.
MOST_FOUND, MOST_TOLD = 20, 5


@access.chess_officer
def merge(request: HttpRequest, pool: Pool, player_id: str) -> HttpResponse:
    """Look for a member's other entry, see both, and put them together."""
    row, other = members.find(pool, player_id), request.POST.get("other") or request.GET.get("other")
    context = {"row": row, "here": "members"}
    if not other or other == player_id:
        typed = request.GET.get("q", row.name)
        found = members.search_members(pool, typed).exclude(player_id=player_id)[:MOST_FOUND]
        return pool_page(
            request,
            "register/merge_whom.html",
            pool,
            **context,
            typed=typed,
            found=found,
            is_search="q" in request.GET,
        )
    rest = members.find(pool, other)
    if (
        request.method == "GET"
        and "keep" not in request.GET
        and player_merge.fuller_entry(pool, player_id, other) == other
    ):
        page = reverse("register-merge", kwargs={"slug": pool.slug, "player_id": other})
        return redirect(f"{page}?{urlencode({'other': player_id})}")
    form = WhyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        return _merge(request, pool, (player_id, other), form.cleaned_data["why"])
    obstacles = player_merge.obstacles(pool, player_id, other)
    context |= {
        "days": rules_of(pool).schedule.correction_days,
        "other": rest,
        "carried": labelled_fields(player_merge.fields_carried_over(row, rest).items()),
        "form": form,
        "reaches": [members.contact_of(pool, player_id), members.contact_of(pool, other)],
        "moved": [player_merge.merge_extent(pool, player_id), player_merge.merge_extent(pool, other)],
        "obstacles": _with_events(pool, obstacles[:MOST_TOLD]),
        "more": len(obstacles[MOST_TOLD:]),
    }
    return pool_page(request, "register/merge.html", pool, **context)


def _with_events(
    pool: Pool, found: list[player_merge.Obstacle]
) -> list[tuple[player_merge.Obstacle, SafeString]]:
    """Obstacles, each with its event by name, as a link."""
    rows = standing_rows(pool, facts.Event).filter(event_id__in={each.event_id for each in found})
    names = {row.event_id: name_here(row.name, row.name_native) for row in rows}
    return [(each, _event(pool, each.event_id, names.get(each.event_id, ""))) for each in found]


def _event(pool: Pool, event_id: str, name: str) -> SafeString:
    if not name:
        return format_html("{}", event_id)
    page = reverse("public-event", kwargs={"slug": pool.slug, "event": event_id})
    return format_html('<a href="{}">{}</a>', page, name)


def _merge(request: HttpRequest, pool: Pool, ids: tuple[str, str], why: str) -> HttpResponse:
    kept, other = ids
    try:
        player_merge.merge(pool, kept, other, access.actor(request), why, localdate())
    except player_merge.MergeError:
        messages.error(request, _("These two cannot be one person; nothing was changed."))
    else:
        page = reverse("register-member", kwargs={"slug": pool.slug, "player_id": kept})
        text = format_html(
            '{} <a href="{}#merges">{}</a>',
            _("Merged under the id %(id)s.") % {"id": kept},
            page,
            _("Take it back"),
        )
        messages.success(request, text)
        say_lists_may_change(request, pool)
    return redirect("register-member", slug=pool.slug, player_id=kept)


@access.chess_officer
@require_POST
def unmerge(request: HttpRequest, pool: Pool, player_id: str) -> HttpResponse:
    """Take two entries apart again."""
    merged, form, actor = request.POST.get("other", ""), WhyForm(request.POST), access.actor(request)
    if not form.is_valid():
        show_errors(request, form)
        return redirect("register-member", slug=pool.slug, player_id=player_id)
    try:
        player_merge.unmerge(pool, player_id, merged, actor, form.cleaned_data["why"], localdate())
    except player_merge.MergeError as refused:
        messages.error(request, why_no_unmerging(refused.obstacles[0]))
    else:
        messages.success(request, _("The merge was undone."))
        say_lists_may_change(request, pool)
    return redirect("register-member", slug=pool.slug, player_id=player_id)
