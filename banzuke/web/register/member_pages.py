"""Pages of members: the register, one member with the whole history, adding and changing."""

from collections.abc import Iterable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from banzuke.core import facts
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Merge, Player, Pool, RatingList, Role
from banzuke.engine.rule_warnings import name_warnings
from banzuke.office.erased_ids import is_erased
from banzuke.office.fact_rows import record_of
from banzuke.office.merged_ids import kept_id, standing_merges
from banzuke.office.refusals import ErasedMemberError
from banzuke.office.register import clubs, data_exports, members, player_merge
from banzuke.web import access
from banzuke.web.register.field_labels import labelled_fields
from banzuke.web.register.member_forms import MemberForm
from banzuke.web.shortcuts import page_language, page_of, pool_page, show_refusal
from banzuke.words import fault_text


@access.chess_officer
def register(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Who is in the register, found as one types."""
    typed = request.GET.get("q", "")
    found = page_of(request, members.search_members(pool, typed))
    context = {"typed": typed, "page": found, "rows": _with_standing(pool, found.object_list)}
    return pool_page(request, "register/members.html", pool, **context, here="members")


def _with_standing(pool: Pool, rows: Iterable[Player]) -> list[dict[str, Any]]:
    """The members of a page, each with the club's name and the last day of membership."""
    players, names = list(rows), clubs.names(pool)
    until = members.annual_until(pool, [row.player_id for row in players])
    today = localdate()
    return [
        {
            "row": row,
            "club": names.get(row.club_id, row.club_id),
            "until": until.get(row.player_id),
            "lapsed": row.player_id in until and until[row.player_id] < today,
        }
        for row in players
    ]


@access.chess_officer
def waiting_newcomers(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Who came by a report and of whom something is missing."""
    found = members.newcomers(pool)
    return pool_page(request, "register/newcomers.html", pool, found=found, here="newcomers")


@access.chess_officer
def member(request: HttpRequest, pool: Pool, player_id: str) -> HttpResponse:
    """One member: what is known, memberships, and the whole history."""
    kept = kept_id(pool, player_id)
    if kept != player_id:
        return redirect("register-member", slug=pool.slug, player_id=kept)
    row = members.find(pool, player_id)
    record = record_of(row, facts.Player)
    rows = list(members.memberships(pool, player_id))
    until = members.annual_until(pool, [player_id]).get(player_id)
    erased = is_erased(pool, player_id)
    odd = [] if erased else name_warnings(rules_of(pool), record)
    context = {
        "row": row,
        "reach": members.contact_of(pool, player_id),
        "club": clubs.names(pool).get(row.club_id, row.club_id),
        "memberships": rows,
        "is_member": members.is_member_on(rows, localdate()),
        "until": until,
        "has_ended": until is not None and until < localdate(),
        "warnings": [fault_text(found, page_language()) for found in odd],
        "namesakes": members.namesakes(pool, record),
        "merges": _merges_of(pool, player_id),
        "history": _history_rows(data_exports.register_history(pool, player_id)),
        "moved": player_merge.merge_extent(pool, player_id),
        "is_erased": erased,
        "is_chief": access.has_role(request, Role.Kind.CHIEF, pool),
    }
    return pool_page(request, "register/member.html", pool, **context, here="members")


def _merges_of(pool: Pool, player_id: str) -> list[tuple[Merge, str]]:
    """The merges into the member, each with why it cannot be taken back; blank where it can."""
    merges = [merge for merge in standing_merges(pool, player_id) if merge.kept == player_id]
    found = [(merge, player_merge.unmerge_obstacle(merge)) for merge in merges]
    return [(merge, why_no_unmerging(obstacle) if obstacle else "") for merge, obstacle in found]


def why_no_unmerging(found: player_merge.Obstacle) -> str:
    """Why a merge cannot be taken back, and what can be done instead."""
    if found.code == player_merge.CHANGED_SINCE:
        return _("A game or membership that was moved has been corrected since. Undo that correction first.")
    if found.code == player_merge.PUBLISHED_SINCE:
        return _("The merge cannot be undone: published lists use the merged starting ratings.")
    if found.code == player_merge.ERASED:
        return _("The person was erased: the two entries stay merged.")
    return _("These two are not merged.")


def _history_rows(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of a history, each with its own fields apart from who entered it."""
    about = {"entered_at", "by", "act", "why", "table", "player_id", "added"}
    names = {facts.Player: _("Register"), facts.Membership: _("Membership")}
    return [
        row
        | {
            "what": names.get(row["table"], _("Contact")),
            "fields": labelled_fields(
                (name, value)
                for name, value in row.items()
                if name not in about and not name.startswith("struck")
            ),
        }
        for row in history
    ]


@access.chess_officer
def new(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Take somebody into the register."""
    form = MemberForm(pool, None, request.POST or None, initial={"player_id": next(members.new_ids(pool))})
    if request.method == "POST" and form.is_valid():
        wanted = form.member(form.cleaned_data["player_id"])
        try:
            members.add(pool, wanted, form.reach(), access.actor(request))
        except members.TakenIdError:
            form.add_error("player_id", _("This id is already used. Choose another."))
        else:
            messages.success(request, _("Added to the register."))
            return redirect("register-member", slug=pool.slug, player_id=wanted.player_id)
    return pool_page(request, "register/new_member.html", pool, form=form, here="members")


@access.chess_officer
def change(request: HttpRequest, pool: Pool, player_id: str) -> HttpResponse:
    """Change what is known of a member; what was known before stays readable."""
    seen, row = members.last_rows(pool, player_id), members.find(pool, player_id)
    if is_erased(pool, player_id):
        messages.error(request, ErasedMemberError(player=player_id).sentence(page_language()))
        return redirect("register-member", slug=pool.slug, player_id=player_id)
    initial = record_of(row, facts.Player)._asdict() | members.contact_of(pool, player_id)._asdict()
    initial |= {"seen": seen}
    form = MemberForm(pool, row, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        why, seen = form.cleaned_data["why"], form.cleaned_data["seen"]
        wanted, actor, page = form.member(player_id), access.actor(request), "register-change"
        with show_refusal(request):
            changed = members.change(pool, wanted, form.reach(), actor, why, localdate(), seen)
            _report_change(request, pool, changed)
            page = "register-member"
        return redirect(page, slug=pool.slug, player_id=player_id)
    return pool_page(request, "register/change_member.html", pool, row=row, form=form, here="members")


def _report_change(request: HttpRequest, pool: Pool, changed: tuple[str, ...]) -> None:
    """Say what was done, and that it may change lists."""
    if not changed:
        messages.info(request, _("Nothing was different, so nothing was saved."))
        return
    messages.success(request, _("Saved. The old values stay in the history."))
    if {"birth_date", "fide_standard", "fide_rapid", "fide_blitz"} & set(changed):
        say_lists_may_change(request, pool)


def say_lists_may_change(request: HttpRequest, pool: Pool) -> None:
    """After a change that ratings depend on: point to the page of the revisions that are due."""
    if not RatingList.objects.filter(pool=pool).exists():
        return
    sentence = _("This may change published lists. Look whether revisions are due.")
    board = reverse("board-revisions", kwargs={"slug": pool.slug})
    messages.warning(
        request, format_html('{} <a href="{}">{}</a>', sentence, board, _("To the revisions due"))
    )
