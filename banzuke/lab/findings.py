"""What is put before an officer: a finding, with the reason why in words and the figures behind it."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from banzuke.lab.encounters import LedgerGames, day_text
from banzuke.lab.sheets import Note, Sheet, named_sheet
from banzuke.words import Language, say

#: How grave: it cannot be; it can hardly be; it is worth a look.
SEVERITIES = CANNOT_BE, HARDLY, LOOK = "cannot-be", "hardly", "look"
#: A chance below this can hardly be.
HARD_TO_BELIEVE = 1e-6
#: Longer odds than one in so many are written as more than this.
MOST_AGAINST = 10**12
#: So many names stand in a sentence.
MOST_NAMES = 6


class FindingFigures(NamedTuple):
    """The figures of a finding; None where it has none. Days count from 1970."""

    since: int
    until: int
    games: int
    score: float | None = None
    expected: float | None = None
    chance: float | None = None
    adjusted: float | None = None
    gained: float | None = None


class Finding(NamedTuple):
    """Something to look at: its kind, the players by number, its figures, and what else its sentence says.

    `occasions` are those that it is about, by their places.
    """

    kind: str
    severity: str
    players: tuple[int, ...]
    figures: FindingFigures
    facts: tuple[tuple[str, object], ...] = ()
    occasions: tuple[int, ...] = ()


class CheckResult(NamedTuple):
    """What one kind of looking found, and at how many it looked."""

    kind: str
    at: int
    found: list[Finding]


def check_of(kind: str, tried: Iterable[Finding | None]) -> CheckResult:
    """What one kind of looking found; None for each of which there is nothing to ask."""
    looked = list(tried)
    return CheckResult(kind, len(looked), [finding for finding in looked if finding])


def severity_of(chance: float) -> str:
    """How grave a score of that (adjusted) chance is."""
    return HARDLY if chance < HARD_TO_BELIEVE else LOOK


def gravest_first(looked: Iterable[CheckResult]) -> list[Finding]:
    """All findings, the gravest first, then the least likely."""
    found = [finding for kind in looked for finding in kind.found]

    def gravity(one: Finding) -> tuple[object, ...]:
        return SEVERITIES.index(one.severity), one.figures.adjusted or 0, -one.figures.games, one.players

    return sorted(found, key=gravity)


def finding_sheet(ledger: LedgerGames, findings: Sequence[Finding], notes: tuple[Note, ...]) -> Sheet:
    """The findings as a table; the reason in both languages."""
    rows = []
    for finding in findings:
        figures = finding.figures
        ids = ", ".join(ledger.ids[player] for player in finding.players)
        events = ", ".join(ledger.occasions[each].event_id for each in finding.occasions)
        days = day_text(figures.since), day_text(figures.until)
        reasons = (reason(ledger, finding, "en"), reason(ledger, finding, "ja"))
        rows.append((finding.severity, finding.kind, ids, events, *days, *figures[2:], *reasons))
    return named_sheet("anomalies", rows, notes)


def checks_sheet(looked: Sequence[CheckResult]) -> Sheet:
    """At how many was looked, and how many were found, by kind."""
    rows = [(kind.kind, kind.at, len(kind.found)) for kind in looked]
    return named_sheet("anomalies_looked", rows)


def reason(ledger: LedgerGames, finding: Finding, lang: Language) -> str:
    """The reason why, as a sentence for an officer: who, what, when."""
    figures = finding.figures
    joint = say("lab", "and-so", lang)
    shown = [person(ledger, player, lang) for player in finding.players]
    first, second, third, *_ = (*shown, "", "")
    facts = {
        "player": first,
        "opponent": second,
        "third": third,
        "players": joint.join(shown[:MOST_NAMES]) + ("…" if len(shown) > MOST_NAMES else ""),
        "count": len(shown),
        "since": day_text(figures.since),
        "until": day_text(figures.until),
        "games": figures.games,
        "score": points_text(figures.score),
        "expected": points_text(figures.expected),
        "gained": f"{figures.gained or 0:.0f}",
        "chance": odds_against(figures.chance or 0),
    }
    return say("lab", f"anomaly-{finding.kind}", lang, **facts | dict(finding.facts))


def person(ledger: LedgerGames, player: int, lang: Language) -> str:
    """A player by name and id; by id alone where there is no other name."""
    name, number = ledger.names[player], ledger.ids[player]
    return say("lab", "named", lang, name=name, id=number) if name and name != number else number


def points_text(value: float | None) -> str:
    """A score or an expectation, to one decimal where it has one."""
    return "" if value is None else f"{value:.1f}".removesuffix(".0")


def odds_against(chance: float) -> str:
    """A chance as one in so many, to two digits."""
    if chance <= 0:
        return "1 : ∞"
    if chance < 1 / MOST_AGAINST:
        return f"1 : >{MOST_AGAINST:,}"
    return f"1 : {float(f'{1 / chance:.2g}'):,.0f}"
