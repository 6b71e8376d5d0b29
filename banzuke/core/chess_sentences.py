"""Sentences about chess ratings that books share, each giving its clauses. The words are the common ones."""

from collections.abc import Iterator, Mapping
from datetime import date

from banzuke.core.decimals import decimal, half_sign, halves, signed, two_decimals
from banzuke.core.rating import FIRST, RATED, Coefficient, FirstWorking, Line, Rating
from banzuke.core.rounding import rounded
from banzuke.core.sentences import EventName, ListName, Part, PlayerName, Side, Statement, Word


def rating_or_unrated(rating: int | None) -> int | Word:
    """A rating, or the word for none."""
    return Word("unrated") if rating is None else rating


def standing_before(part: Part, clause: str) -> Statement:
    """The rating before the list, or that there was none."""
    before = part.figures.calculation.before
    if before.value is None:
        return Statement("before-unrated", clause, {"games": before.games})
    facts = {"rating": before.value, "games": before.games, "peak": before.peak}
    return Statement("before-rated", clause, facts)


def raised_to_floor(part: Part, clause: str, floor: int) -> Iterator[Statement]:
    """That an edition raised the rating to its floor, at the first list that it makes."""
    old = part.figures.calculation.before.value
    if part.figures.opens_edition and old is not None and old < floor:
        yield Statement("raised", clause, {"old": old, "floor": floor})


def inheritance(part: Part, clause: str, floor_clause: str) -> Iterator[Statement]:
    """Where an inherited rating came from, and that a floor lifted it."""
    taken, lifted = part.figures.taken_over, part.figures.calculation.entered.value
    source = Word(f"source-{part.figures.calculation.source}")
    yield Statement("inherited", clause, {"rating": taken, "source": source})
    if taken != lifted:
        yield Statement("first-lifted", floor_clause, {"rating": lifted})


def game_words(side: Side, *, has_list: bool) -> Word:
    """Event, round, opponent and result, as every sentence about a game begins.

    Without a list there is no rating of the opponent to be named.
    """
    line = side.line
    facts = {
        "event": EventName(side.event.event_id),
        "round": line.round,
        "opponent": PlayerName(line.opponent),
        "rating": rating_or_unrated(line.opponent_rating),
        "score": Word("score-none" if line.score is None else f"score-{line.score}"),
    }
    return Word("game" if has_list else "game-no-list", facts)


def game_of_list(side: Side) -> Word:
    """A game whose event makes a list."""
    return game_words(side, has_list=True)


def left_out(side: Side, *, has_list: bool) -> Statement:
    """A game that did not enter, or entered and is not rated, and why."""
    game = game_words(side, has_list=has_list)
    facts: dict[str, object] = {"game": game, "played": side.played, "reported": side.event.reported}
    if len(side.not_members) == 1:
        who = PlayerName(side.not_members[0])
        return Statement("not-member-one", side.line.clause, facts | {"who": who})
    if side.not_members:
        return Statement("not-member-both", side.line.clause, facts)
    return Statement(f"not-{side.line.verdict}", side.line.clause, facts)


def game_by_k(part: Part, side: Side, cites: Mapping[str, str]) -> Iterator[Statement]:
    """A game as books by K tell it; `cites` has `limit`, and `against-unrated` if the book rates those."""
    line = side.line
    if line.verdict == FIRST:
        yield Statement("first", line.clause, {"game": game_of_list(side)})
    elif line.verdict != RATED:
        yield left_out(side, has_list=bool(part.speed))
    else:
        yield from _rated_by_k(side, cites)


def _rated_by_k(side: Side, cites: Mapping[str, str]) -> Iterator[Statement]:
    line = side.line
    if line.difference is None or line.expected is None or line.k is None or line.change is None:
        return
    facts = {
        "game": game_of_list(side),
        "difference": f"{line.difference:+}",
        "expected": two_decimals(line.expected),
        "points": halves(line.score or 0),
        "k": line.k.value,
        "change": signed(line.change),
    }
    yield Statement("rated", line.clause, facts)
    if line.own is not None and line.opponent_rating is None:
        yield Statement("against-unrated", cites["against-unrated"], {"difference": line.difference})
    yield from limited_difference(line, cites["limit"])
    yield reason_of_k(line.k)


def limited_difference(line: Line, clause: str) -> Iterator[Statement]:
    """What the difference really is, where it counts for less."""
    if line.own is None or line.opponent_rating is None or line.difference is None:
        return
    real = line.own - line.opponent_rating
    if real != line.difference:
        facts = {"real": f"{real:+}", "difference": f"{line.difference:+}"}
        yield Statement("limited", clause, facts)


def reason_of_k(k: Coefficient) -> Statement:
    """Why this K; said once for each K of the section."""
    return Statement(f"k-{k.why}", k.clause, {"k": k.value}, is_said_once=True)


def without_games(part: Part, clause: str) -> Statement:
    """That the list has no game of the player, and which was the last with one."""
    if part.last:
        key = "no-lines-adjusted" if part.figures.adjusted else "no-lines"
        return Statement(key, clause, {"list": ListName(part.last)})
    return Statement("no-line-ever", clause)


def unmoved(clause: str) -> Statement:
    """That no game of the list changes the rating."""
    return Statement("no-games", clause)


def result_by_k(part: Part, cites: Mapping[str, str], floor: int) -> Statement:
    """Sum, rounding and floor; or that no game changes the rating; or that the player has no game."""
    calculation = part.figures.calculation
    old, after = calculation.entered.value, calculation.after.value
    if not part.sides:
        return without_games(part, cites["list"])
    moved = part.figures.has_entered and any(side.line.change is not None for side in part.sides)
    if old is None or not moved:
        return unmoved(cites["list"])
    key = "leaves" if after is None else "sum-floored" if calculation.floored else "sum"
    facts = {
        "total": signed(calculation.total),
        "shift": f"{calculation.shift:+}",
        "old": old,
        "new": old + calculation.shift if after is None else after,
        "floor": floor,
    }
    return Statement(key, cites["sum" if key == "sum" else "floor"], facts)


def quotient(numerator: int, denominator: int) -> str:
    """A quotient to two decimals, for reading; the rule rounds the exact one."""
    return decimal(rounded(100 * numerator, denominator))


def games_needed(clause: str, have: int, needed: int, until: date | None = None) -> Statement:
    """How many games a first rating still needs; `until` is the last day that the oldest one counts."""
    facts = {"more": needed - have, "have": have, "needed": needed}
    if until is None:
        return Statement("need-games", clause, facts)
    return Statement("need-games-until", clause, facts | {"until": until})


def first_event(rating: Rating, first_clause: str, established: int, clause: str) -> Iterator[Statement]:
    """What is needed where the first event gives a rating, and so many games one that is not provisional."""
    if rating.value is None:
        yield Statement("need-event", first_clause)
    elif rating.games < established:
        yield Statement("need-established", clause, {"more": established - rating.games})


def games_on_file(working: FirstWorking) -> Iterator[Statement]:
    """The games that a first rating is reckoned from."""
    for game in working.games:
        facts = {
            "event": EventName(game.event_id),
            "round": game.round,
            "played": game.played,
            "opponent": PlayerName(game.opponent),
            "rating": rating_or_unrated(game.opponent_rating),
            "score": Word(f"score-{game.score}"),
        }
        yield Statement("on-file", working.clause, facts)


def no_first_rating(working: FirstWorking, filling: int, needed: int, floor: int) -> Statement:
    """Why there is no first rating yet; `filling` games go towards the `needed` ones."""
    facts = {"n": filling, "needed": needed, "floor": floor}
    return Statement(f"first-{working.why}", working.clause, facts)


def first_rating(working: FirstWorking) -> Statement:
    """The working of a first rating: the mean, the percentage, what is added, and the sum rounded."""
    total, n = working.mean
    facts = {
        "total": total,
        "n": n,
        "mean": quotient(total, n),
        "points": half_sign(working.points),
        "percent": working.percent,
        "added": f"{working.dp:+}",
        "exact": quotient(total + working.dp * n, n),
        "rating": working.exact_rating,
    }
    return Statement("first-rating", working.clause, facts)


def bounded(working: FirstWorking, key: str, clause: str) -> Iterator[Statement]:
    """That a first rating is not what the working gives, for a floor or a ceiling."""
    if working.exact_rating != working.rating:
        yield Statement(key, clause, {"rating": working.rating})


def standing_after(part: Part, clause: str) -> Statement:
    """The rating after the list, or that there is none."""
    after = part.figures.calculation.after
    if after.value is None:
        return Statement("after-unrated", clause, {"games": after.games})
    facts = {"rating": after.value, "games": after.games, "peak": after.peak}
    return Statement("after-rated", clause, facts)
