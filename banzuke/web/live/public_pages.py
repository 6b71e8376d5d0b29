"""The public pages of a Go server: its ranking as it stands now, and a player with the points and games."""

from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.timezone import now

from banzuke.core.decimals import decimal, half_sign, halves
from banzuke.core.go_facts import TWENTYFOURTHS, GoGame, GoLine
from banzuke.core.rulebook import RuleBook
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool
from banzuke.engine.agreed_terms import RanksBefore
from banzuke.engine.result_rows import ranks
from banzuke.explanations.explanation import Sentence
from banzuke.explanations.go_rank import explain_game, explain_ranks_before, explain_state
from banzuke.office.live.earlier_ranks import GameWithLines, find_ranks_before
from banzuke.office.live.go_rules import NotLiveError
from banzuke.office.live.go_standing import MOST_POINTS, Standing, find_standing, points_curve
from banzuke.office.live.live_ranking import RankingQuery, page
from banzuke.office.live.rated_games import PlayedGame, games_of_player, is_counted
from banzuke.office.pages.player_standing import load_standing as published_standing
from banzuke.office.pages.public_pool import public_pool
from banzuke.office.public_names import Person, people
from banzuke.web.access import public
from banzuke.web.public.caching import conditional
from banzuke.web.public.share_cards import shared_of_player
from banzuke.web.shortcuts import found_or_404, page_language, pool_page
from banzuke.words import Language, say


@public
@conditional
def ranking(request: HttpRequest, pool: Pool) -> HttpResponse:
    """A page of the ranking; pools of chess have none but their lists."""
    query = RankingQuery(
        typed=request.GET.get("q", "").strip(),
        after=request.GET.get("after", ""),
        before=request.GET.get("before", ""),
        last="last" in request.GET,
    )
    try:
        found = page(pool, query, now())
    except NotLiveError as error:
        raise Http404 from error
    return pool_page(request, "live/ranking.html", pool, query=query, page=found)


#: So many games stand on a page, and so many lists without being asked for.
PAGE, FEW_LISTS = 12, 12
#: The sentence that a player's page shows in large numerals already.
HEADLINE = "go-player"
COUNTED = {"yes": True, "no": False}


class GameView(NamedTuple):
    """A game as a player's page shows it: from that side, with what it did for both."""

    number: int
    game: GoGame
    line: GoLine
    opponent: Person
    is_black: bool
    colour: str
    result: str
    terms: tuple[int, str, bool]
    difference: str
    side: str
    is_counted: bool
    sentence: Sentence
    other_sentence: Sentence
    before: Sentence | None


def player_now(request: HttpRequest, pool: Pool, player: str) -> HttpResponse:
    """Where a player of a Go server stands now. Raises Http404 for nobody."""
    found, everything = found_or_404(find_standing(pool, player, now())), "all" in request.GET
    of = public_pool(pool)
    published = published_standing(of, player)
    facts = {
        "standing": found,
        "called": found.person.called(page_language()),
        "curve": points_curve(pool, player, everything=everything),
        "everything": everything,
        "most_drawn": MOST_POINTS,
        "history": (history := published.history),
        "has_few_lists": len(history) <= FEW_LISTS,
    }
    facts |= _standing(pool, found) | _games(request, pool, player)
    facts |= shared_of_player(request, of, published, found.person.called(page_language()))
    return pool_page(request, "live/player.html", pool, **facts)


def _standing(pool: Pool, found: Standing) -> dict[str, Any]:
    """Where the player stands, in sentences, and the rule book of their clauses."""
    edition = rules_of(pool).edition_at(now())
    sentences = explain_state(edition.book, found.state, edition.zone, page_language())
    return {
        "book": edition.book.name,
        "sentences": [sentence for sentence in sentences if sentence.key != HEADLINE],
        "multiplier": None if (tenths := found.prospects.multiplier) is None else decimal(10 * tenths),
    }


def _games(request: HttpRequest, pool: Pool, player: str) -> dict[str, Any]:
    """A page of the player's games, as asked. Raises Http404 where it begins after no game."""
    counted, after = request.GET.get("counted", ""), request.GET.get("after", "")
    try:
        page = games_of_player(pool, player, after, PAGE, counted=COUNTED.get(counted))
    except LookupError as error:
        raise Http404 from error
    games = _game_views(pool, player, page.games, page_language())
    return {"counted": counted, "after": after, "games": games, "next": page.next}


def _game_views(pool: Pool, player: str, games: list[PlayedGame], lang: Language) -> list[GameView]:
    named = people(pool, (one.line(player).opponent for one in games))
    rules = rules_of(pool)
    before = find_ranks_before(pool, (GameWithLines(one.game, (one.black, one.white)) for one in games))
    return [
        _game(rules.edition_at(one.game.ended).book, one, player, named, before.get(one.game.game_id), lang)
        for one in games
    ]


def _difference(twentyfourths: int) -> str:
    """A difference of ranks as people read it: `1½`, `7/12`."""
    half_ranks, rest = divmod(2 * twentyfourths, TWENTYFOURTHS)
    return ranks(twentyfourths) if rest else half_sign(half_ranks)


def _game(
    book: RuleBook,
    one: PlayedGame,
    player: str,
    named: dict[str, Person],
    before: RanksBefore | None,
    lang: Language,
) -> GameView:
    game, line = one.game, one.line(player)
    colour = "black" if game.black == player else "white"
    result = "undecided" if line.won is None else "won" if line.won else "lost"
    side = "even" if line.upper is None else "upper" if line.upper else "lower"
    return GameView(
        one.number,
        game,
        line,
        named[line.opponent],
        colour == "black",
        say("explain", f"go-colour-{colour}", lang),
        say("explain", f"go-{result}", lang),
        (game.handicap, halves(abs(game.komi)), game.komi < 0),
        "" if line.difference is None else _difference(line.difference),
        say("explain", f"go-side-{side}", lang),
        is_counted(line),
        explain_game(book, line, lang),
        explain_game(book, one.opponents_line(player), lang),
        explain_ranks_before(book, before, lang) if before else None,
    )
