"""A reform as pages show it, to officers and to the public: what changes, where it stands, its effect."""

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from django.utils.translation import pgettext_lazy

from banzuke.core.adjustments import Node, read_map
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, ReformStep
from banzuke.explanations.rule_pages import Figure, changed_figures
from banzuke.office.lists.movement_bands import Band
from banzuke.office.reforms.reform_acts import Progress
from banzuke.office.reforms.reform_files import list_of
from banzuke.office.reforms.reform_rehearsal import AccountPart, Effect, SpeedEffect
from banzuke.web.shortcuts import page_language
from banzuke.words import catalogue

Act = ReformStep.Act
STATES: dict[str, Any] = {
    Act.DRAFTED: pgettext_lazy("reform", "draft"),
    Act.REHEARSED: pgettext_lazy("reform", "rehearsed"),
    Act.MINUTED: pgettext_lazy("reform", "decided"),
    Act.SIGNED: pgettext_lazy("reform", "signed"),
    Act.ANNOUNCED: pgettext_lazy("reform", "announced"),
    Act.IN_FORCE: pgettext_lazy("reform", "in force"),
    Act.WITHDRAWN: pgettext_lazy("reform", "withdrawn"),
}


class ShownPart(NamedTuple):
    """A part of the points account in words; amounts in hundredths."""

    name: str
    before: int
    after: int

    @property
    def change(self) -> int:
        """How much more it is with the reform."""
        return self.after - self.before


class ShownSpeed(NamedTuple):
    """The effect at a speed, with how long bars are, and the account with its sum as the last part."""

    effect: SpeedEffect
    bands: list[Band]
    most_in_band: int
    account: list[ShownPart]

    @property
    def mean_change(self) -> int:
        """How much higher the mean of all ratings is with the reform, in hundredths."""
        return self.effect.mean_after - self.effect.mean_before


class ShownReform(NamedTuple):
    """A reform: its numbers before and after, its map, its list, the effect at each speed with ratings."""

    progress: Progress
    name: str
    start: date
    state: Any
    figures: list[Figure]
    nodes: tuple[Node, ...]
    speed: str
    list_name: str
    effect: Effect | None
    speeds: list[ShownSpeed]

    @property
    def number(self) -> int:
        """Its number in the pool."""
        return self.progress.reform.number


def shown_reform(pool: Pool, progress: Progress) -> ShownReform:
    """A reform as pages show it; its numbers beside those that the pool had when it was rehearsed."""
    effect = progress.effect
    rules, file = rules_of(pool, effect.position if effect else None), progress.file
    edition = rules.find_edition(progress.start) or rules.editions[0]
    adjustment = file.adjustment if file else None
    return ShownReform(
        progress,
        progress.name,
        progress.start,
        STATES[progress.state],
        changed_figures(edition.book, file.changes_of(edition.book), page_language()) if file else [],
        read_map(adjustment.points) if adjustment else (),
        adjustment.speed if adjustment else "",
        list_of(rules, file) if file else "",
        effect,
        [_shown_speed(each) for each in effect.speeds if each.hundreds] if effect else [],
    )


def _shown_speed(effect: SpeedEffect) -> ShownSpeed:
    sizes = [band.players for band in effect.bands if band.low or band.high]
    return ShownSpeed(effect, effect.bands, max(sizes, default=0), _account(effect.account))


def _account(parts: Sequence[AccountPart]) -> list[ShownPart]:
    """The parts in words, and their sum."""
    lang, words = page_language(), catalogue("lab")["value"]["part"]
    names = [words[each.part][lang] for each in parts]
    found = [ShownPart(name, *each[1:]) for name, each in zip(names, parts, strict=True)]
    return [*found, ShownPart("", sum(each.before for each in parts), sum(each.after for each in parts))]
