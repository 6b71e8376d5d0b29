"""How the Japanese editions explain a list; words that several books share are in `words/explain.toml`.

This module chooses the sentences of NCS and JCF and their clauses. Words of one edition alone are in its own
`words.toml`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta

from banzuke.core import chess_sentences as common
from banzuke.core.facts import STANDARD
from banzuke.core.month import first_day_without
from banzuke.core.rating import FirstWorking, PlayerState
from banzuke.core.sentences import Part, Sentences, Side, Statement
from banzuke.rulebooks.jcf import jcf_2024, ncs_2022


@dataclass(frozen=True, slots=True)
class EditionSentences:
    """What the sentences take from an edition.

    `filling` says how many games on file go towards the `first_games` of a first rating; `fitness` what the
    rating is fit for.
    """

    cites: Mapping[str, str]
    inheritance_clause: Callable[[str, str], str]
    floor: int
    first_games: int
    filling: Callable[[FirstWorking, Part], int]
    fitness: Callable[[Part], Iterable[Statement]]

    def before(self, part: Part) -> Iterator[Statement]:
        """What stood before the list, raised to the floor, or taken over."""
        source = part.figures.calculation.source
        yield common.standing_before(part, self.cites["list"])
        yield from common.raised_to_floor(part, self.cites["floor"], self.floor)
        if source:
            clause = self.inheritance_clause(source, part.speed)
            yield from common.inheritance(part, clause, self.cites["floor"])

    def game(self, part: Part, side: Side) -> Iterator[Statement]:
        """One game."""
        return common.game_by_k(part, side, self.cites)

    def result(self, part: Part) -> Iterator[Statement]:
        """The sum, or the working of a first rating."""
        working = part.figures.calculation.first
        if working is None:
            yield common.result_by_k(part, self.cites, self.floor)
            return
        yield from common.games_on_file(working)
        if working.rating is None:
            filling = self.filling(working, part)
            yield common.no_first_rating(working, filling, self.first_games, self.floor)
        else:
            yield common.first_rating(working)
            yield from common.bounded(working, "first-lifted", self.cites["floor"])

    def after(self, part: Part) -> Iterator[Statement]:
        """What stands now."""
        yield common.standing_after(part, self.cites["list"])
        yield from self.fitness(part)


def _of(edition: EditionSentences) -> Sentences:
    return Sentences(edition.before, edition.game, edition.result, edition.after)


def _fitness(part: Part) -> Iterator[Statement]:
    """NCS 6(3): whether a standard rating is fit for qualification."""
    after = part.figures.calculation.after
    if part.speed == STANDARD and after.value is not None:
        key = "qualified" if ncs_2022.is_qualified(part.speed, after) else "not-qualified"
        yield Statement(key, ncs_2022.CITES["qualified"], {"games": ncs_2022.QUALIFIED_BEYOND})


NCS_2022 = _of(
    EditionSentences(
        ncs_2022.CITES,
        ncs_2022.inheritance_clause,
        ncs_2022.FLOOR,
        ncs_2022.FIRST_GAMES,
        lambda working, part: ncs_2022.games_filling(working.games, part.settings),
        _fitness,
    )
)
JCF_2024 = _of(
    EditionSentences(
        jcf_2024.CITES,
        jcf_2024.inheritance_clause,
        jcf_2024.FLOOR,
        jcf_2024.FIRST_GAMES,
        lambda working, _part: len(working.games),
        lambda _part: (),
    )
)


def ncs_prospects(state: PlayerState, settings: ncs_2022.Settings) -> Iterator[Statement]:
    """NCS 6(3): what a first rating still needs."""
    have = ncs_2022.games_filling(state.on_file, settings)
    if state.rating.value is not None:
        return
    if have >= ncs_2022.FIRST_GAMES:
        yield Statement("need-next-game", "NCS 6(3)")
    elif settings.unrated_games_fill_first:
        facts = {"more": ncs_2022.FIRST_GAMES - have, "have": have, "needed": ncs_2022.FIRST_GAMES}
        yield Statement("need-games-of-any", "NCS 6(3)", facts)
    else:
        yield common.games_needed("NCS 6(3)", have, ncs_2022.FIRST_GAMES)


def jcf_prospects(state: PlayerState, _settings: jcf_2024.Settings) -> Iterator[Statement]:
    """JCF 6(3): what a first rating still needs, from the games that count today."""
    used = jcf_2024.games_used(state.on_file, state.day)
    have, points = len(used), sum(game.score for game in used)
    if state.rating.value is not None:
        return
    if have < jcf_2024.FIRST_GAMES:
        oldest = min((game.played for game in used), default=None)
        until = oldest and first_day_without(oldest, jcf_2024.FIRST_MONTHS) - timedelta(days=1)
        yield common.games_needed("JCF 6(3)", have, jcf_2024.FIRST_GAMES, until)
    else:
        is_one_sided = points in (0, 2 * have)
        yield Statement("need-another-result" if is_one_sided else "need-next-game", "JCF 6(3)")
