"""How a Go player's rank came about: every game with its terms, points and lines, in sentences."""

from __future__ import annotations

from collections import deque
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.go_facts import BEGINNER, CERTIFIED, PROFESSIONAL, PROVISIONAL
from banzuke.engine.go_history import history, moment, opening
from banzuke.engine.result_rows import ranks
from banzuke.explain.explanation import Explanation, Section, Sentence, Speaker, find_player
from banzuke.rulebooks.pandanet import pandanet
from banzuke.rulebooks.pandanet.ranks import (
    BC_WINS,
    CERTIFYING_GAMES,
    HALF_RANK,
    multiplier,
    table_points,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from banzuke.core.go_facts import GoGame, GoLine, GoState, Zone
    from banzuke.ledger.folder import GoLedger
    from banzuke.ledger.pool_rules import EditionInForce
    from banzuke.words import Language


class Told(NamedTuple):
    """What a game's sentence is about."""

    game: GoGame
    line: GoLine
    say: Speaker
    names: Mapping[str, str]


class GoAccount(NamedTuple):
    """All that is told of a player's rank: the state he is in, and his last games of `total` in all."""

    player: str
    list_name: str
    edition: EditionInForce
    state: GoState
    total: int
    games: Sequence[tuple[GoGame, GoLine]]
    names: Mapping[str, str]


def explain(
    ledger: GoLedger, wanted: str, until: str | None, lang: Language, games: int | None
) -> Explanation:
    """A player's rank, his lines, and his last `games` games (None: all), up to an ISO time.

    Raises UnknownPlayerError and UnknownListError.
    """
    player = find_player(wanted, {p.player_id: (p.name,) for p in ledger.players})
    names = {p.player_id: p.name for p in ledger.players}
    run, at, count = opening(ledger), moment(until), 0
    kept: deque[tuple[GoGame, GoLine]] = deque(maxlen=games)
    for rated in history(ledger, run, at):
        for line in (rated.black, rated.white):
            if line.player == player:
                kept.append((rated.game, line))
                count += 1
    pool = ledger.pool
    edition = pool.editions[-1] if at is None else pool.edition_at(at)
    return told_of(GoAccount(player, until or "", edition, run.states[player], count, kept, names), lang)


def told_of(account: GoAccount, lang: Language) -> Explanation:
    """A player's account in sentences."""
    player, state, say = account.player, account.state, Speaker(lang)
    say.sentences += told_state(state, account.edition.zone, lang)
    if 0 < len(account.games) < account.total:
        say.tell("go-shown", shown=len(account.games), all=account.total)
    for game, line in account.games:
        _tell_game(Told(game, line, say, account.names))
    heading = say.words("title-go", name=account.names[player], id=player, rank=state.rank)
    book = account.edition.book.name
    return Explanation(player, account.list_name, book, [Section(heading, say.sentences)])


def told_state(state: GoState, zone: Zone, lang: Language) -> list[Sentence]:
    """Where a player stands now, and how far the lines are."""
    say = Speaker(lang)
    if state.kind == PROFESSIONAL:
        say.tell("go-player-professional", "PN 1(5)c", rank=state.rank)
    elif state.kind == BEGINNER:
        say.tell("go-player-beginner", "PN 5(2)", wins=state.wins_in_bc, needed=BC_WINS)
    elif state.kind == PROVISIONAL:
        say.tell(
            "go-player-provisional",
            "PN 6(2)",
            rank=state.rank,
            rated=state.rated_games,
            needed=CERTIFYING_GAMES,
        )
        say.tell("go-formula", "PN 6(1)")
    else:
        say.tell("go-player", "PN 0(2)", rank=state.rank, points=state.points, rated=state.rated_games)
        _tell_lines(say, state.half or 0, state.points or 0, zone)
        tenths = multiplier(state.rated_games + 1)
        say.tell("go-multiplier", "PN 3(6)", number=state.rated_games + 1, tenths=_tenths(tenths))
    return say.sentences


def _tell_lines(say: Speaker, half: int, points: int, zone: Zone) -> None:
    up, down = zone.up[half], zone.down[half]
    origin = say.words("zone-file", file=zone.source) if zone.source else say.words("zone-default")
    facts = {"down": down, "to_down": points - down, "origin": origin}
    if up is None:
        say.tell("go-lines-top", "PN 4(1)", **facts)
    else:
        say.tell("go-lines", "PN 4(1)", up=up, to_up=up - points, **facts)


def _tenths(tenths: int) -> str:
    return f"{tenths // 10}.{tenths % 10}"


def _game(told: Told) -> str:
    """When, against whom, with which result and on which terms."""
    game, line, words = told.game, told.line, told.say.words
    result = "go-undecided" if line.won is None else "go-won" if line.won else "go-lost"
    colour = "black" if game.black == line.player else "white"
    return words(
        "go-game",
        ended=game.ended.isoformat(sep=" ", timespec="minutes"),
        game=game.game_id,
        colour=words(f"go-colour-{colour}"),
        result=words(result),
        opponent=told.names[line.opponent],
        rank=line.opponent_before.rank,
        terms=_terms(told),
    )


def _terms(told: Told) -> str:
    game, line, words = told.game, told.line, told.say.words
    komi = f"{'-' if game.komi < 0 else ''}{abs(game.komi) // 2}{'.5' if game.komi % 2 else ''}"
    stones = words("go-stones", stones=game.handicap) if game.handicap > 1 else words("go-stones-0")
    if line.difference is None:
        return words("go-terms", stones=stones, komi=komi)
    side = "even" if line.upper is None else "upper" if line.upper else "lower"
    return words(
        "go-terms-difference",
        stones=stones,
        komi=komi,
        d=ranks(line.difference),
        side=words(f"go-side-{side}"),
    )


def _tell_game(told: Told) -> None:
    """When and against whom, what the game did for this side, and by which paragraph."""
    what, clause, key = outcome(told.line, told.say.lang)
    text = told.say.words("go-said", game=_game(told), what=what)
    told.say.sentences.append(Sentence(text, clause, key))


def outcome(line: GoLine, lang: Language) -> Sentence:
    """What a game did for this side, and by which paragraph."""
    verdict, say = line.verdict, Speaker(lang)
    if verdict == pandanet.RATED:
        _tell_rated(say, line)
    elif verdict == pandanet.BONUS:
        _tell_flat(say, "go-bonus", line)
    elif verdict == pandanet.FAULT and line.points is None:
        say.tell("go-fault-none", line.clause)
    elif verdict == pandanet.FAULT:
        _tell_flat(say, "go-fault", line)
    elif line.clause == pandanet.WIN_IN_BC:
        key = "go-bc-win" if line.after.kind == BEGINNER else "go-bc-promoted"
        say.tell(key, line.clause, wins=line.after.wins_in_bc, rank_after=line.after.rank)
    else:
        say.tell(f"go-not-{verdict.removeprefix(pandanet.NOT)}", line.clause)
    return say.sentences[0]


def _tell_flat(say: Speaker, key: str, line: GoLine) -> None:
    say.tell(
        key,
        line.clause,
        points=f"{line.points or 0:+}",
        before=line.before.points,
        after="-" if line.after.points is None else line.after.points,
        rank_after=line.after.rank,
    )


def _tell_rated(say: Speaker, line: GoLine) -> None:
    number = line.before.rated_games + 1
    facts: dict[str, object] = {"rank_after": line.after.rank, "after": line.after.points}
    if line.before.kind == CERTIFIED and line.points is not None:
        upper_won = line.won is (line.upper is True)
        base = _mixed(Fraction(table_points(line.difference or 0, upper_won=upper_won), HALF_RANK))
        key = "go-rated" if line.after.kind == CERTIFIED else "go-rated-to-bc"
        facts |= {
            "base": f"{'+' if line.won else '-'}{base}",
            "tenths": _tenths(multiplier(number)),
            "points": f"{line.points:+}",
        }
        say.tell(key, line.clause, before=line.before.points, **facts)
    elif line.after.kind == CERTIFIED:
        say.tell("go-certified", line.clause, number=number, needed=CERTIFYING_GAMES, **facts)
    else:
        say.tell("go-rated-provisional", line.clause, number=number, needed=CERTIFYING_GAMES, **facts)


def _mixed(number: Fraction) -> str:
    """A fraction as people write it: 1157/12 is `96 5/12`."""
    whole, rest = divmod(number.numerator, number.denominator)
    return f"{whole} {rest}/{number.denominator}" if rest else str(whole)
