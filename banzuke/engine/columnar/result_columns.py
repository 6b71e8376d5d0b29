"""The rows of the files that `rate` writes, as coded columns: `engine.result_rows` for whole lists."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from banzuke.columnar.batch_columns import MISSING, VERDICTS
from banzuke.core.decimals import decimal, two_decimals
from banzuke.core.facts import SPEEDS, STANDARD
from banzuke.core.rulebook import Family
from banzuke.table_writer.coded_columns import Column, Numbers, Table, constant, runs
from banzuke.engine.result_rows import CHANGES, LISTS, SCORE
from banzuke.rulebooks.hakodate import hakodate
from banzuke.rulebooks.jcf import ncs_2022

if TYPE_CHECKING:
    from banzuke.columnar.batch_columns import Int32s, Lines, State
    from banzuke.engine.columnar.columnar_history import RatedColumns
    from banzuke.ledger.pool_rules import EditionInForce

#: The speeds of events, blank for one that makes no list.
SAID = ("", *SPEEDS)
STATUSES = ("rated", "provisional", "established")
QUALIFIED = ("", "0", "1")


class Listed(NamedTuple):
    """A list's rows: the players with a rating after it, by id, each with his speed's row of standings."""

    player: Int32s
    speed: Int32s


def listed(after: State) -> Listed:
    """Players by id, standard before rapid before blitz."""
    player, speed = np.nonzero(after.value.T != MISSING)
    return Listed(player.astype(np.int32), speed.astype(np.int32))


def list_table(made: RatedColumns, player_ids: tuple[str, ...]) -> Table:
    """The rows of lists.csv of one list."""
    rated = made.rated
    return standings_table(rated.batch.name, made.edition, rated.before, rated.after, player_ids)


def standings_table(
    name: str, edition: EditionInForce, before: State, after: State, player_ids: tuple[str, ...]
) -> Table:
    """The rows of lists.csv of one list, made by an edition, from the standings before and after it."""
    who = listed(after)
    at = who.speed, who.player
    rating, earlier, games = after.value[at], before.value[at], after.games[at]
    change = np.where(earlier == MISSING, np.int32(MISSING), rating - earlier)
    columns = (
        constant(name, len(who.player)),
        Column(who.speed, edition.book.speeds),
        Column(who.player, player_ids),
        Numbers(rating),
        Numbers(games),
        Numbers(change.astype(np.int32)),
        Numbers(after.peak[at]),
        Column(_status(edition, games), STATUSES),
        Column(_qualified(edition, who, games), QUALIFIED),
    )
    return Table(dict(zip(LISTS, columns, strict=True)))


def _status(edition: EditionInForce, games: Int32s) -> Int32s:
    if edition.book.family is not Family.CLUB:
        return np.zeros(len(games), np.int32)
    return np.where(games >= hakodate.ESTABLISHED_GAMES, np.int32(2), np.int32(1))


def _qualified(edition: EditionInForce, who: Listed, games: Int32s) -> Int32s:
    if edition.book.module is not ncs_2022:
        return np.zeros(len(games), np.int32)
    is_standard = who.speed == edition.book.speeds.index(STANDARD)
    return np.where(is_standard & (games > ncs_2022.QUALIFIED_BEYOND), np.int32(2), np.int32(1))


def change_table(made: RatedColumns, player_ids: tuple[str, ...]) -> Table:
    """The rows of changes.csv of one list, whose lines were asked for."""
    rated = made.rated
    lines = rated.lines
    if lines is None:
        raise ValueError("rated without its lines")
    ids = tuple(event.event_id for event in rated.batch.events)
    return line_table(rated.batch.name, lines, (rated.speeds, ids), rated.clauses, player_ids)


def verdicts_of(lines: Lines) -> Counter[str]:
    """The verdicts of lines, in the order in which they first appear, as `most_common` shows ties."""
    codes, firsts, counts = np.unique(lines.verdict, return_index=True, return_counts=True)
    return Counter({VERDICTS[codes[place]]: int(counts[place]) for place in np.argsort(firsts).tolist()})


def _points(half_points: int) -> str:
    """A score as printed; blank for a number that is none."""
    return SCORE.get(half_points, "")


def line_table(
    name: str,
    lines: Lines,
    events: tuple[tuple[str, ...], tuple[str, ...]],
    clauses: tuple[str, ...],
    player_ids: tuple[str, ...],
) -> Table:
    """The rows of changes.csv of lines of the list of that name; of their events, the speeds and the ids."""
    speeds, ids = events
    columns = (
        constant(name, len(lines.player)),
        runs(np.array([SAID.index(speed) for speed in speeds], np.int32), lines.of_event, SAID),
        runs(np.arange(len(ids), dtype=np.int32), lines.of_event, ids),
        Numbers(lines.round),
        Column(lines.player, player_ids),
        Column(lines.opponent, player_ids),
        Numbers(lines.score, _points),
        Numbers(lines.own),
        Numbers(lines.opponent_rating),
        Numbers(lines.difference),
        Numbers(lines.expected, two_decimals),
        Numbers(lines.k),
        Numbers(lines.change, decimal),
        Column(lines.verdict.astype(np.int32), VERDICTS),
        Column(lines.clause.astype(np.int32), clauses),
    )
    return Table(dict(zip(CHANGES, columns, strict=True)))
