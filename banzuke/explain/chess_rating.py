"""How a chess rating came about, in sentences: the other printing of the same calculation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.core.decimals import decimal, signed, two_decimals
from banzuke.core.rounding import rounded
from banzuke.core.rulebook import Family
from banzuke.engine.history import RatedList, UnknownListError, history, list_names
from banzuke.explain.chess_game import Told, tell_line
from banzuke.explain.explanation import Explanation, Section, Speaker, find_player
from banzuke.explain.rating_account import account
from banzuke.rulebooks.fide import fide_2024
from banzuke.rulebooks.hakodate import hakodate
from banzuke.rulebooks.jcf import ncs_2022

if TYPE_CHECKING:
    from banzuke.core.rating import Calculation, FirstWorking, Line, Rating
    from banzuke.explain.rating_account import Account, Figures
    from banzuke.ledger.folder import ChessLedger
    from banzuke.words import Language


def explain(ledger: ChessLedger, wanted: str, name: str | None, lang: Language) -> Explanation:
    """How a player's ratings in a list came about; `name` None: his last list with games.

    Raises UnknownPlayerError and UnknownListError.
    """
    player = find_player(wanted, {p.player_id: (p.name, p.name_native) for p in ledger.players})
    rated, last = _wanted_list(ledger, player, name)
    return told_of(account(ledger, rated, player, last), lang)


def told_of(account: Account, lang: Language) -> Explanation:
    """A player's account in sentences."""
    names = {key: (native or name) if lang == "ja" else name for key, (name, native) in account.names.items()}
    told = [Told(account, part, Speaker(lang), names) for part in account.parts]
    sections = [section for section in map(_section, told) if section is not None]
    return Explanation(
        account.player,
        account.list_name,
        account.edition.book.name,
        sections or [_nothing_yet(Told(account, account.parts[0], Speaker(lang), names))],
    )


def _wanted_list(ledger: ChessLedger, player: str, name: str | None) -> tuple[RatedList, dict[str, str]]:
    """The list to explain, and by speed the last one in which the player has a line."""
    names = list_names(ledger, None)
    if name is not None and name not in names:
        raise UnknownListError(name, ", ".join(names[-5:]))
    found: RatedList | None = None
    last: dict[str, str] = {}
    for rated in history(ledger, names[: names.index(name) + 1] if name else names):
        speeds = _speeds_with_lines(rated, player)
        last |= dict.fromkeys(speeds, rated.batch.name)
        if name or speeds or not last:
            found = rated
    if found is None:
        raise UnknownListError(name or "", "-")
    return found, last


def _speeds_with_lines(rated: RatedList, player: str) -> set[str]:
    return {
        lines.speed for lines in rated.outcome.events if any(line.player == player for line in lines.lines)
    }


def _nothing_yet(told: Told) -> Section:
    """A player without a rating and without a game."""
    told.say.tell("before-unrated", told.cite("list"), games=0)
    told.say.tell("no-line-ever", told.cite("list"))
    heading = f"{told.names[told.player]} ({told.player})"
    return Section(heading, told.say.sentences)


def _section(told: Told) -> Section | None:
    """One speed of the list; None where the player has neither a line nor a rating there."""
    sides, last, figures = told.part.sides, told.part.last, told.part.figures
    after = figures.calculation.after
    if not sides and after.value is None:
        return None
    _stand_in(told)
    if told.has_list:
        _tell_before(told, figures)
    for side in sides:
        tell_line(told, side)
    if not sides:
        told.say.tell("no-lines" if last else "no-line-ever", told.cite("list"), list=last)
    elif figures.has_entered:
        _tell_result(told, figures.calculation, [side.line for side in sides])
    elif told.has_list:
        told.say.tell("no-games", told.cite("list"))
    if told.has_list:
        _tell_after(told, after)
    return Section(_heading(told), told.say.sentences)


def _heading(told: Told) -> str:
    key = "title" if told.speed else "title-club" if told.has_list else "title-no-speed"
    return told.say.words(
        key,
        name=told.names[told.player],
        id=told.player,
        speed=told.say.words(f"speed-{told.speed}") if told.speed else "",
        list=told.account.list_name,
        book=told.edition.book.name,
    )


def _stand_in(told: Told) -> None:
    edition = told.edition
    if edition.stands_in:
        told.say.tell("stands-in", book=edition.book.name, edition=edition.stands_in)


def _tell_before(told: Told, figures: Figures) -> None:
    before = figures.calculation.before
    if before.value is None:
        told.say.tell("before-unrated", told.cite("list"), games=before.games)
    else:
        told.say.tell(
            "before-rated", told.cite("list"), rating=before.value, games=before.games, peak=before.peak
        )
    if figures.opens_edition and told.edition.book.family is Family.MONTH:
        floor = told.edition.book.module.FLOOR
        if before.value is not None and before.value < floor:
            told.say.tell("raised", told.cite("floor"), old=before.value, floor=floor)
    if figures.calculation.source:
        _tell_inherited(told, figures)


def _tell_inherited(told: Told, figures: Figures) -> None:
    origin, lifted = figures.calculation.source, figures.calculation.entered.value
    clause = told.edition.book.module.inheritance_clause(origin, told.speed)
    source = told.say.words(f"source-{origin}")
    told.say.tell("inherited", clause, rating=figures.taken_over, source=source)
    if figures.taken_over != lifted:
        told.say.tell("first-lifted", told.cite("floor"), rating=lifted)


def _tell_result(told: Told, calculation: Calculation, lines: list[Line]) -> None:
    """The sum, the rounding and the floor; or the working of a first rating."""
    if told.edition.book.family is Family.CLUB and calculation.first:
        _tell_provisional(told, calculation, calculation.first)
    elif calculation.first:
        _tell_first(told, calculation.first)
    elif calculation.entered.value is not None and any(line.change is not None for line in lines):
        _tell_sum(told, calculation)
    else:
        told.say.tell("no-games", told.cite("list"))


def _tell_sum(told: Told, calculation: Calculation) -> None:
    old, after = calculation.entered.value or 0, calculation.after.value
    floor = getattr(told.edition.book.module, "FLOOR", 0)
    key = "leaves" if after is None else "sum-floored" if calculation.floored else "sum"
    told.say.tell(
        key,
        told.cite("sum" if key == "sum" else "floor"),
        total=signed(calculation.total),
        shift=f"{calculation.shift:+}",
        old=old,
        new=old + calculation.shift if after is None else after,
        floor=floor,
    )


def _fraction(numerator: int, denominator: int) -> str:
    """A quotient to two decimals, for reading; the rule rounds the exact one."""
    return decimal(rounded(100 * numerator, denominator))


def _tell_provisional(told: Told, calculation: Calculation, working: FirstWorking) -> None:
    total, n = working.mean
    facts = {"total": total, "n": n, "mean": _fraction(total, n), "new": working.rating}
    if calculation.before.value is None:
        told.say.tell("provisional-first", "HCC R4", **facts)
    else:
        told.say.tell(
            "provisional",
            working.clause,
            games=calculation.before.games,
            old=calculation.before.value,
            **facts,
        )


def _tell_first(told: Told, working: FirstWorking) -> None:
    """The whole working: the games on file, the mean, the percentage, what is added."""
    module, clause = told.edition.book.module, told.clause(working.clause)
    for game in working.games:
        told.say.tell(
            "on-file",
            clause,
            event=told.account.events.get(game.event_id, game.event_id),
            round=game.round,
            played=game.played,
            opponent=told.names[game.opponent],
            rating=told.say.words("unrated") if game.opponent_rating is None else game.opponent_rating,
            score=told.say.words(f"score-{game.score}"),
        )
    if working.rating is None:
        facts = {"n": _filling(told, working), "needed": module.FIRST_GAMES, "floor": module.FLOOR}
        told.say.tell(f"first-{working.why}", clause, **facts)
        return
    if module is fide_2024:
        told.say.tell(
            "drawn-with", told.cite("two-draws"), rating=module.DRAWN_WITH, games=module.DRAWN_GAMES
        )
    total, n = working.mean
    told.say.tell(
        "first-rating",
        clause,
        total=total,
        n=n,
        mean=_fraction(total, n),
        points=decimal(50 * working.points),
        percent=two_decimals(working.percent),
        added=f"{working.dp:+}",
        exact=_fraction(total + working.dp * n, n),
        rating=working.exact_rating,
    )
    if working.exact_rating != working.rating:
        key, concept = ("first-capped", "highest") if module is fide_2024 else ("first-lifted", "floor")
        told.say.tell(key, told.cite(concept), rating=working.rating)


def _filling(told: Told, working: FirstWorking) -> int:
    """How many of the games on file go towards those that a first rating needs."""
    edition = told.edition
    if edition.book.module is ncs_2022:
        return ncs_2022.games_filling(working.games, edition.settings)
    return len(working.games)


def _tell_after(told: Told, after: Rating) -> None:
    if told.edition.book.family is Family.CLUB and after.value is not None:
        status = "established" if hakodate.is_established(after.games) else "provisional"
        told.say.tell(
            "after-club",
            told.cite("class"),
            notation=hakodate.notation(after.value, after.games),
            status=told.say.words(f"status-{status}"),
            **{"class": hakodate.prize_class(after.value)},
        )
    elif after.value is None:
        told.say.tell("after-unrated", told.cite("list"), games=after.games)
    else:
        told.say.tell(
            "after-rated", told.cite("list"), rating=after.value, games=after.games, peak=after.peak
        )
    if told.edition.book.module is ncs_2022 and told.speed and after.value is not None:
        key = "qualified" if ncs_2022.is_qualified(told.speed, after) else "not-qualified"
        if told.speed == "standard":
            told.say.tell(key, told.cite("qualified"), games=ncs_2022.QUALIFIED_BEYOND)
