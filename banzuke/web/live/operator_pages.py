"""The page of who runs a Go server: how the service does, the lines in force; annulling a game."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from banzuke.core.decimals import decimal
from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import RANK_NAMES, GoLine, Zone
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Role
from banzuke.explanations.explanation import Sentence
from banzuke.explanations.go_rank import explain_game, explain_ranks_before
from banzuke.ledger.pool_rules import go_book
from banzuke.office.administration.office_settings import office_settings
from banzuke.office.live.earlier_ranks import GameWithLines, find_ranks_before
from banzuke.office.live.go_rules import NotLiveError, is_live
from banzuke.office.live.pool_events import annul_game, find_annulment, find_game, restore_game
from banzuke.office.live.rated_games import PlayedGame, games_of_player
from banzuke.office.live.service_figures import HOUR, MOST, figures
from banzuke.office.public_names import Person, names_in_register
from banzuke.office.refusals import NotDoneError
from banzuke.office.search.look_ups import LookUpKind, LookUpOffer, offers
from banzuke.web import access
from banzuke.web.shortcuts import page_language, pool_page
from banzuke.words import fault_text

#: So many of a player's last games are offered.
MOST_GAMES = 10


class HalfRank(NamedTuple):
    """A row of the border-zone table."""

    rank: str
    up: int | None
    down: int
    start: int


class AnnulForm(forms.Form):
    """Which game is annulled, and why."""

    game = forms.CharField(label=_("Id of the game"), max_length=200)
    why = forms.CharField(label=_("Why (the journal keeps it)"), max_length=1000)


@access.officer
def live(request: HttpRequest, pool: Pool) -> HttpResponse:
    """How the service does; a pool of chess has none."""
    if not is_live(pool):
        raise Http404
    service = figures(pool, now())
    context = {
        "at": now(),
        "is_still": "still" in request.GET,
        "figures": service,
        "most": MOST,
        "refusals": [(each, fault_text(each.fault, page_language())) for each in service.refusals],
        "queued": [(each, fault_text(each.fault, page_language())) for each in service.queue.last],
        "delays": service.delays and [_seconds(each) for each in service.delays[1:]],
        "minutes": [
            (at, index - len(service.recent.minutes), games)
            for index, (at, games) in enumerate(service.recent.minutes)
        ],
        "zone": _table(service.edition.zone),
        "source": service.edition.zone.source,
        "zone_clause": go_book(service.edition).cites["zone"],
        "late_hours": office_settings().late_hours,
        "webhooks_failing": pool.webhooks.exclude(failing_since=None, off_at=None).count(),
        "may_set": access.has_role(request, Role.Kind.ADMINISTRATOR, None),
    }
    return pool_page(request, "live/office.html", pool, **context)


def _seconds(length: timedelta) -> str:
    """A length in seconds, to hundredths."""
    return decimal(length // (HOUR / 360_000))


def _table(zone: Zone) -> list[HalfRank]:
    return [HalfRank(*row) for row in zip(RANK_NAMES, zone.up, zone.down, zone.start, strict=True)][::-1]


@access.officer
def annul(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Look at a game, annul it with a reason, and see what came of it."""
    form = AnnulForm(request.POST or None, initial={"game": request.GET.get("game", "")})
    if request.method == "POST" and form.is_valid() and _is_annulled(request, pool, form):
        asked = urlencode({"game": form.cleaned_data["game"]})
        return redirect(f"{reverse('live-annul', kwargs={'slug': pool.slug})}?{asked}")
    game_id = request.POST.get("game", request.GET.get("game", "")).strip()
    return pool_page(request, "live/annul.html", pool, form=form, game_id=game_id, **_game(pool, game_id))


@access.officer
@require_POST
def restore(request: HttpRequest, pool: Pool) -> HttpResponse:
    """Take an annulment back."""
    game_id = request.POST.get("game", "").strip()
    try:
        restore_game(pool, game_id, request.POST.get("why", "")[:1000], access.actor(request))
    except NotLiveError as error:
        raise Http404 from error
    except NotDoneError as refusal:
        messages.error(request, refusal.sentence(page_language()))
    else:
        messages.success(request, _("The game counts again."))
    return redirect(f"{reverse('live-annul', kwargs={'slug': pool.slug})}?{urlencode({'game': game_id})}")


def _is_annulled(request: HttpRequest, pool: Pool, form: AnnulForm) -> bool:
    try:
        annul_game(pool, form.cleaned_data["game"], form.cleaned_data["why"], access.actor(request))
    except RefusedError as error:
        form.add_error("game", [fault_text(each, page_language()) for each in error.faults])
        return False
    messages.success(request, _("The game is annulled."))
    return True


def _game(pool: Pool, game_id: str) -> dict[str, Any]:
    """A game with both sides, and what came of annulling it, if it was."""
    try:
        game = find_game(pool, game_id)
    except NotLiveError as error:
        raise Http404 from error
    if game is None:
        return {"found": None, "players": _games_of(pool, game_id)}
    annulled = find_annulment(pool, game_id)
    why_not = annulled.why_not.sentence(page_language()) if annulled and annulled.why_not else ""
    facts = {"found": game, "sides": _sides(pool, game), "annulled": annulled, "why_not": why_not}
    return facts | {"before": _ranks_before(pool, game)}


def _ranks_before(pool: Pool, game: PlayedGame) -> Sentence | None:
    """That the terms were regular by earlier ranks, if they were."""
    found = find_ranks_before(pool, [GameWithLines(game.game, (game.black, game.white))])
    book = rules_of(pool).edition_at(game.game.ended).book
    return explain_ranks_before(book, found[game.game.game_id], page_language()) if found else None


def _games_of(pool: Pool, typed: str) -> list[tuple[LookUpOffer, Sequence[PlayedGame]]]:
    """The players who are meant by what was typed, with their last games that stand, to choose from."""
    found = offers(LookUpKind.MEMBER, pool, typed)
    return [(one, games_of_player(pool, one.id, limit=MOST_GAMES).games) for one in found]


def _sides(pool: Pool, game: PlayedGame) -> list[tuple[Person, GoLine, Sentence]]:
    """Both players with their lines, Black first."""
    named = names_in_register(pool, (game.black.player, game.white.player))
    book, lang = rules_of(pool).edition_at(game.game.ended).book, page_language()
    return [(named[line.player], line, explain_game(book, line, lang)) for line in (game.black, game.white)]
