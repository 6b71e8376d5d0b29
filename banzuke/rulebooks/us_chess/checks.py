"""What the book finds wrong in a ledger: matches, events before its first day, cells of its own columns."""

from collections.abc import Iterator, Sequence
from datetime import date

from banzuke.core.facts import MATCH, Club, Event, Opening
from banzuke.core.rulebook import Finding
from banzuke.rulebooks.us_chess.us_chess import (
    BONUS_CONSTANTS,
    CITES,
    ESTABLISHED_GAMES,
    LOST,
    WON,
    is_provisional,
)


def event_findings(event: Event, first: date) -> Iterator[Finding]:
    """USC 7, 11: an event before the first B that the book has, or a match."""
    if event.ends < first:
        facts = {"ends": event.ends, "first": first, "clause": CITES["bonus"]}
        yield Finding("ends", "us-too-early", facts)
    if event.form == MATCH:
        yield Finding("form", "us-match", {"value": event.form, "clause": CITES["missing"]})


def later_bonus_findings(event: Event, _clubs: Sequence[Club], own: tuple[date, int]) -> Iterator[Finding]:
    """USC 7: an event that an edition rates with its own B, although a later one had come by then."""
    first, constant = max(row for row in BONUS_CONSTANTS if row[0] <= max(event.ends, own[0]))
    if first > own[0]:
        facts = {"first": first, "constant": constant, "ends": event.ends, "own": own[1]}
        yield Finding("", "us-later-bonus", {**facts, "year": first.year, "clause": CITES["bonus"]})


def opening_findings(opening: Opening) -> Iterator[Finding]:
    """USC 5, 9: `one_sided` is one of two words; a peak is an established rating, and no lower than it."""
    found = opening.more.get("one_sided", "")
    if found not in ("", WON, LOST):
        yield Finding("one_sided", "cell-word", {"value": found, "words": f"{WON}, {LOST}"})
    if opening.peak is not None and is_provisional(opening.games):
        facts = {"games": opening.games, "least": ESTABLISHED_GAMES, "clause": CITES["floor"]}
        yield Finding("peak", "us-peak-provisional", facts)
    elif opening.peak is not None and opening.peak < opening.rating:
        facts = {"peak": opening.peak, "rating": opening.rating, "clause": CITES["floor"]}
        yield Finding("peak", "us-peak-low", facts)
