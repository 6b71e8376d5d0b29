"""A club's desk: its events, its members, and the newcomers whom its reports brought."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import localdate
from django.utils.translation import gettext as _

from banzuke.core import facts
from banzuke.database.book_reader import rules_of
from banzuke.database.models import ListRow, Player, Pool
from banzuke.office.club_desk import club_desk
from banzuke.office.fact_rows import standing_rows
from banzuke.office.fees import dues
from banzuke.office.lists.list_index import latest_list
from banzuke.office.objections import club_answers
from banzuke.office.public_names import by_id_only
from banzuke.office.register import clubs as club_register
from banzuke.office.register import members
from banzuke.office.register.members import BIRTH_DATE, CONTACT, NATIVE_NAME, Newcomer
from banzuke.web import access
from banzuke.web.club.desk_view import event_views
from banzuke.web.form_fields import LABELS, birth_date_field
from banzuke.web.register.member_forms import text
from banzuke.web.shortcuts import page_of, pool_page

#: So many events are on a page.
PER_PAGE = 20


def clubs_for(request: HttpRequest, pool: Pool) -> set[str]:
    """The clubs whose desk it is: the visitor's; an officer sees that of the club named in the address."""
    own = access.clubs_of(request, pool)
    if own is not None:
        return own
    wanted = request.GET.get("club", "")
    return {wanted} if wanted in club_register.names(pool) else set()


@access.reporter
def my_events(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The events of the visitor's clubs: what is to be done, what is under way, what is over."""
    clubs, today = clubs_for(request, pool), localdate()
    desk = club_desk(pool, clubs, today)
    views = event_views(pool, desk, today)
    page = page_of(request, [view for view in views if view.is_over], PER_PAGE)
    context = {
        "open": [view for view in views if not view.is_over],
        "over": page.object_list,
        "page": page,
        "todo": sum(bool(event.todos) for event in desk.events),
        "lapsed": desk.lapsed,
        "questions": club_answers.questions_to(pool, clubs).count(),
        "has_applications": not rules_of(pool).is_go,
        "has_fees": bool(dues.window_names(pool, today)),
        **_clubs_to_name(request, pool, clubs),
    }
    return pool_page(request, "club/desk.html", pool, **context)


def _clubs_to_name(request: HttpRequest, pool: Pool, clubs: set[str]) -> dict[str, Any]:
    """What the clubs of the page are called; for an officer all, to choose among."""
    names = club_register.names(pool)
    found: dict[str, Any] = {"clubs": [names.get(club_id, club_id) for club_id in sorted(clubs)]}
    found["only_club"] = next(iter(clubs)) if len(clubs) == 1 else ""
    if access.clubs_of(request, pool) is None:
        found["to_choose"] = sorted(names.items(), key=lambda one: one[1])
        found["chosen"] = next(iter(clubs), "")
    return found


@access.reporter
@access.of_chess
def club_members(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The members of the visitor's clubs with their ratings; without those who are shown by id only."""
    clubs = clubs_for(request, pool)
    rows = standing_rows(pool, facts.Player).filter(club_id__in=clubs).exclude(player_id__in=by_id_only(pool))
    page = page_of(request, rows.order_by("name", "player_id"))
    context = {
        "rows": _with_ratings(pool, list(page.object_list)),
        "page": page,
        "speeds": rules_of(pool).speeds,
        "list": latest_list(pool),
        **_clubs_to_name(request, pool, clubs),
    }
    return pool_page(request, "club/members.html", pool, **context)


def _with_ratings(pool: Pool, players: list[Player]) -> list[tuple[Player, list[int | None]]]:
    """Players with their ratings in the newest list, speed by speed."""
    ids, speeds = [player.player_id for player in players], rules_of(pool).speeds
    rows = ListRow.objects.filter(list=latest_list(pool), player_id__in=ids)
    ratings = {(player, speed): rating for player, speed, rating in
               rows.values_list("player_id", "speed", "rating")}  # fmt: skip
    return [(player, [ratings.get((player.player_id, speed)) for speed in speeds]) for player in players]


class NewcomerForm(forms.Form):
    """What is missing of a newcomer."""

    def __init__(self, newcomer: Newcomer, data: Any) -> None:
        super().__init__(data, prefix=newcomer.row.player_id)
        made: dict[str, forms.Field] = {
            NATIVE_NAME: text(LABELS["name_native"], required=False),
            BIRTH_DATE: birth_date_field(),
            CONTACT: forms.EmailField(label=_("E-mail"), required=False),
        }
        for name in newcomer.missing:
            self.fields["email" if name == CONTACT else name] = made[name]


@access.reporter
@access.of_chess
def newcomers(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Whom the clubs' reports brought and of whom something is missing: it is filled in, and that is all."""
    found = members.newcomers(pool, clubs_for(request, pool))
    data = request.POST or None
    sheet = [(newcomer, NewcomerForm(newcomer, data)) for newcomer in found]
    if data is not None and all(form.is_valid() for _newcomer, form in sheet):
        done = [
            members.complete(pool, newcomer, form.cleaned_data, access.actor(request), localdate())
            for newcomer, form in sheet
            if any(form.cleaned_data.values())
        ]
        if any(done):
            messages.success(request, _("Saved."))
        return redirect("club-newcomers", slug=pool.slug)
    hidden = by_id_only(pool)
    rows = [(one.row, one.row.player_id in hidden, form) for one, form in sheet]
    return pool_page(request, "club/newcomers.html", pool, rows=rows)
