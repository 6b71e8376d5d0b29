"""How a chess rating came about, in sentences: the other printing of the same calculation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.rating import FIRST, RATED, UNRATED
from banzuke.office.explanation import Explanation, Section, Speaker, find_player
from banzuke.office.history import RatedList, UnknownListError, history, list_names, speeds_of
from banzuke.office.results import decimal, two_decimals
from banzuke.rulebooks import Family, fide_2024, hakodate, jcf_2024, ncs_2022

if TYPE_CHECKING:
    from banzuke.core.facts import Event, Player
    from banzuke.core.rating import Calculation, Coefficient, FirstWorking, Line, Rating
    from banzuke.ledger.folder import ChessLedger
    from banzuke.words import Language

#: How many games a first rating needs, by book.
FIRST_NEEDS = {
    ncs_2022: ncs_2022.FIRST_GAMES,
    jcf_2024: jcf_2024.FIRST_GAMES,
    fide_2024: fide_2024.FIRST_GAMES,
}


class Told(NamedTuple):
    """What the sentences of one section are about."""

    ledger: ChessLedger
    rated: RatedList
    player: Player
    speed: str
    say: Speaker
    names: dict[str, str]

    @property
    def has_list(self) -> bool:
        """Whether the games are of a kind that makes a list; a club's have no speed and make one."""
        return bool(self.speed) or self.ledger.pool.family is Family.CLUB

    def cite(self, concept: str) -> str:
        """The clause of a concept in the book that rated the list."""
        return self.clause(self.rated.edition.book.module.CITES[concept])

    def clause(self, clause: str) -> str:
        """The clause under its number for this speed."""
        if self.rated.edition.book.family is Family.FIDE:
            return fide_2024.cited(clause, self.speed)
        return clause


def explain(ledger: ChessLedger, wanted: str, name: str | None, lang: Language) -> Explanation:
    """How a player's ratings in a list came about; `name` None: his last list with games.

    Raises UnknownPlayerError and UnknownListError.
    """
    called = {p.player_id: (p.name, p.name_native) for p in ledger.players}
    player_id = find_player(wanted, called)
    rated, last = _wanted_list(ledger, player_id, name)
    names = {p.player_id: (p.name_native or p.name) if lang == "ja" else p.name for p in ledger.players}
    player = next(p for p in reversed(ledger.players) if p.player_id == player_id)
    sections = []
    for speed in ("", *speeds_of(ledger.pool.family)) if ledger.pool.family is not Family.CLUB else ("",):
        told = Told(ledger, rated, player, speed, Speaker(lang), names)
        section = _section(told, last.get(speed, ""))
        if section is not None:
            sections.append(section)
    return Explanation(player_id, rated.batch.name, rated.edition.book.name, sections)


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


def _section(told: Told, last: str) -> Section | None:
    """One speed of the list; None where the player has neither a line nor a rating there."""
    events = [
        (lines.event, [line for line in lines.lines if line.player == told.player.player_id])
        for lines in told.rated.outcome.events
        if lines.speed == told.speed
    ]
    events = [(event, lines) for event, lines in events if lines]
    after = told.rated.outcome.standings.of(told.speed, told.player.player_id)
    if not events and after.value is None:
        return None
    _stand_in(told)
    calculation = told.rated.outcome.calculations.get(told.speed, {}).get(told.player.player_id)
    if told.has_list:
        before = (
            calculation.before
            if calculation
            else told.rated.before.get(told.speed, {}).get(told.player.player_id, UNRATED)
        )
        _tell_before(told, before, calculation)
    for event, lines in events:
        for line in lines:
            _tell_line(told, event, line)
    if not events:
        told.say.tell("no-lines" if last else "no-line-ever", told.cite("list"), list=last)
    elif calculation:
        _tell_result(told, calculation, [line for _, lines in events for line in lines])
    elif told.has_list:
        told.say.tell("no-games", told.cite("list"))
    if told.has_list:
        _tell_after(told, after)
    return Section(_heading(told), told.say.sentences)


def _heading(told: Told) -> str:
    key = "title" if told.speed else "title-club" if told.has_list else "title-no-speed"
    return told.say.words(
        key,
        name=told.names[told.player.player_id],
        id=told.player.player_id,
        speed=told.say.words(f"speed-{told.speed}") if told.speed else "",
        list=told.rated.batch.name,
        book=told.rated.edition.book.name,
    )


def _stand_in(told: Told) -> None:
    edition = told.rated.edition
    if edition.stands_in:
        told.say.tell("stands-in", book=edition.book.name, edition=edition.stands_in)


def _tell_before(told: Told, before: Rating, calculation: Calculation | None) -> None:
    if before.value is None:
        told.say.tell("before-unrated", told.cite("list"), games=before.games)
    else:
        told.say.tell(
            "before-rated", told.cite("list"), rating=before.value, games=before.games, peak=before.peak
        )
    if told.rated.batch.opens_edition and told.rated.edition.book.family is Family.MONTH:
        floor = told.rated.edition.book.module.FLOOR
        if before.value is not None and before.value < floor:
            told.say.tell("raised", told.cite("floor"), old=before.value, floor=floor)
    if calculation and calculation.source:
        clause = told.rated.edition.book.module.inheritance_clause(calculation.source, told.speed)
        source = told.say.words(f"source-{calculation.source}")
        member = told.rated.batch.register.players[told.player.player_id]
        lifted = calculation.entered.value
        rating = getattr(member, calculation.source.replace("-", "_"), lifted)
        told.say.tell("inherited", clause, rating=rating, source=source)
        if rating != lifted:
            told.say.tell("first-lifted", told.cite("floor"), rating=lifted)


def _game(told: Told, event: Event, line: Line) -> str:
    """Event, round, opponent and result, as every sentence about a game begins.

    Without a list there is no rating of the opponent to be named.
    """
    return told.say.words(
        "game" if told.has_list else "game-no-list",
        event=event.name,
        round=line.round,
        opponent=told.names[line.opponent],
        rating=told.say.words("unrated") if line.opponent_rating is None else line.opponent_rating,
        score=told.say.words("score-none" if line.score is None else f"score-{line.score}"),
    )


def _signed(hundredths: int) -> str:
    return ("+" if hundredths > 0 else "") + decimal(hundredths)


def _tell_line(told: Told, event: Event, line: Line) -> None:
    """One game: what it moved and why, or why not."""
    game = _game(told, event, line)
    if line.verdict in (RATED, FIRST) and told.ledger.pool.family is Family.CLUB:
        _tell_club_line(told, game, line)
    elif line.verdict == RATED:
        _tell_rated(told, game, line)
    elif line.verdict == FIRST:
        told.say.tell("first", line.clause, game=game)
    else:
        told.say.tell(
            f"not-{line.verdict}",
            line.clause,
            game=game,
            played=_day(told, event, line),
            reported=event.reported,
        )


def _day(told: Told, event: Event, line: Line) -> object:
    """The day the line's game was played."""
    pair = {line.player, line.opponent}
    entry = next(e for e in told.rated.batch.entries if e.event is event)
    game = next(g for g in entry.games if g.round == line.round and {g.white, g.black} == pair)
    return game.played or event.starts


def _tell_rated(told: Told, game: str, line: Line) -> None:
    if line.difference is None or line.expected is None or line.k is None or line.change is None:
        return
    told.say.tell(
        "rated",
        line.clause,
        game=game,
        difference=f"{line.difference:+}",
        expected=two_decimals(line.expected),
        points=decimal(50 * (line.score or 0)),
        k=line.k.value,
        change=_signed(line.change),
    )
    if line.own is not None and line.opponent_rating is None:
        told.say.tell("against-unrated", told.cite("against-unrated"), difference=line.difference)
    _tell_limit(told, line, 1)
    _tell_coefficient(told, line.k)


def _tell_limit(told: Told, line: Line, sign: int) -> None:
    """What the difference really is, where it counts for less; `sign` -1: seen from the opponent."""
    if line.own is None or line.opponent_rating is None or line.difference is None:
        return
    real = line.own - line.opponent_rating
    if real != line.difference:
        facts = {"real": f"{sign * real:+}", "difference": f"{sign * line.difference:+}"}
        told.say.tell("limited", told.cite("limit"), **facts)


def _tell_coefficient(told: Told, k: Coefficient) -> None:
    """Why this K; said once for each K of the section."""
    key = f"k-{k.why}"
    text = told.say.words(key, k=k.value)
    if all(sentence.text != text for sentence in told.say.sentences):
        told.say.tell(key, told.clause(k.clause), k=k.value)


def _tell_club_line(told: Told, game: str, line: Line) -> None:
    if line.change is not None and line.score is not None:
        told.say.tell(
            "club-established",
            line.clause,
            game=game,
            sixteen=f"{hakodate.EQUAL_WIN * (line.score - 1):+}",
            difference=f"{-(line.difference or 0):+}",
            change=_signed(line.change),
        )
        _tell_limit(told, line, -1)
    elif line.score is not None:
        counted = line.opponent_rating
        if counted is None:
            counted = told.rated.edition.settings.unrated_opponent
        bonus = hakodate.PER_GAME * (line.score - 1)
        told.say.tell(
            "club-provisional",
            line.clause,
            game=game,
            rating=counted,
            bonus=f"{bonus:+}",
            value=counted + bonus,
        )


def _tell_result(told: Told, calculation: Calculation, lines: list[Line]) -> None:
    """The sum, the rounding and the floor; or the working of a first rating."""
    if told.ledger.pool.family is Family.CLUB and calculation.first:
        _tell_provisional(told, calculation, calculation.first)
    elif calculation.first:
        _tell_first(told, calculation.first)
    elif calculation.entered.value is not None and any(line.change is not None for line in lines):
        _tell_sum(told, calculation)
    else:
        told.say.tell("no-games", told.cite("list"))


def _tell_sum(told: Told, calculation: Calculation) -> None:
    old, after = calculation.entered.value or 0, calculation.after.value
    floor = getattr(told.rated.edition.book.module, "FLOOR", 0)
    key = "leaves" if after is None else "sum-floored" if calculation.floored else "sum"
    told.say.tell(
        key,
        told.cite("sum" if key == "sum" else "floor"),
        total=_signed(calculation.total),
        shift=f"{calculation.shift:+}",
        old=old,
        new=old + calculation.shift if after is None else after,
        floor=floor,
    )


def _fraction(numerator: int, denominator: int) -> str:
    """A quotient to two decimals, for reading; the rule rounds the exact one."""
    return decimal((200 * numerator + denominator) // (2 * denominator))


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
    module, clause = told.rated.edition.book.module, told.clause(working.clause)
    for game in working.games:
        told.say.tell(
            "on-file",
            clause,
            event=_event_name(told, game.event_id),
            round=game.round,
            played=game.played,
            opponent=told.names[game.opponent],
            rating=told.say.words("unrated") if game.opponent_rating is None else game.opponent_rating,
            score=told.say.words(f"score-{game.score}"),
        )
    if working.rating is None:
        facts = {"n": _filling(told, working), "needed": FIRST_NEEDS[module], "floor": module.FLOOR}
        told.say.tell(f"first-{working.why}", clause, **facts)
        return
    if module is fide_2024:
        told.say.tell("drawn-with", told.cite("two-draws"))
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
    edition = told.rated.edition
    if edition.book.module is ncs_2022:
        return ncs_2022.games_filling(working.games, edition.settings)
    return len(working.games)


def _event_name(told: Told, event_id: str) -> str:
    return next((e.name for e in told.ledger.events if e.event_id == event_id), event_id)


def _tell_after(told: Told, after: Rating) -> None:
    if told.ledger.pool.family is Family.CLUB and after.value is not None:
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
    if told.rated.edition.book.module is ncs_2022 and told.speed and after.value is not None:
        key = "qualified" if ncs_2022.is_qualified(told.speed, after) else "not-qualified"
        if told.speed == "standard":
            told.say.tell(key, told.cite("qualified"), games=ncs_2022.QUALIFIED_BEYOND)
