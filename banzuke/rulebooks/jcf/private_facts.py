"""What the Japanese editions ask of the private facts on a player: age in a year of play, FIDE's ratings."""

from collections.abc import Callable, Hashable, Iterator
from datetime import date
from typing import Any

from banzuke.core.facts import EXCLUDE, STANDARD, Event, Player
from banzuke.core.private_facts import DayClause, Participation, PrivateFacts
from banzuke.rulebooks.jcf import jcf_2024, monthly, ncs_2022

Asked = Iterator[tuple[str, Hashable]]
#: What an edition says of an event with its settings.
Admits = Callable[[Event, Any], monthly.Admission]
#: The columns of FIDE's ratings that a player's first game at a speed may take, and which of them are blank.
TakenOver = Callable[[Player, str, frozenset[str]], Iterator[str]]


def _days(admission: monthly.Admission, of: Participation) -> list[date]:
    """The days of the games that enter a list, if both players are members."""
    days = [(game, game.played or of.event.starts) for game in of.games]
    return [day for game, day in days if not monthly.reason(game, day, admission, lambda _player, _day: True)]


def _asked(admits: Admits, taken_over: TakenOver, of: Participation) -> Asked:
    admission = admits(of.event, of.settings)
    days = _days(admission, of)
    if of.player.birth_date is not None:
        yield from (("birth_date", year) for year in sorted({day.year for day in days}))
    if days and admission.speed in of.unrated:
        yield from ((column, None) for column in taken_over(of.player, admission.speed, of.unrated))


# NCS 2022


def _ncs_admits(event: Event, settings: ncs_2022.Settings) -> monthly.Admission:
    speed, oldest = ncs_2022.speed_of(event, settings), ncs_2022.oldest_day(event)
    return monthly.Admission(event.ruling == EXCLUDE, speed, oldest)


def _ncs_taken_over(player: Player, speed: str, unrated: frozenset[str]) -> Iterator[str]:
    """NCS 6(1), 6(2): the other NCS rating, else FIDE standard, rapid, blitz."""
    if monthly.OTHER_SPEED[speed] in unrated:
        _, source = ncs_2022.inherited_rating(player, speed, None)
        yield from _column(source)


NCS_2022 = PrivateFacts(
    asked=lambda of: _asked(_ncs_admits, _ncs_taken_over, of),
    days={
        "birth_date": DayClause(lambda born, year: ncs_2022.age_on_new_year(born, year) < ncs_2022.JUNIOR_AGE)
    },
)


# JCF 2024


def _jcf_admits(event: Event, _settings: jcf_2024.Settings) -> monthly.Admission:
    return monthly.Admission(event.ruling == EXCLUDE, jcf_2024.speed_of(event), jcf_2024.oldest_day(event))


def _jcf_taken_over(player: Player, speed: str, unrated: frozenset[str]) -> Iterator[str]:
    """JCF 6(1), 6(2): FIDE's of the same speed, else the other domestic one, else FIDE's other."""
    _, source = jcf_2024.inherited_rating(player, speed, None)
    same = "fide-standard" if speed == STANDARD else "fide-rapid"
    if source == same or monthly.OTHER_SPEED[speed] in unrated:
        yield from _column(source)


def _column(source: str) -> Iterator[str]:
    """The column that a rating is taken over from: `fide_rapid` for `fide-rapid`."""
    if source:
        yield source.replace("-", "_")


JCF_2024 = PrivateFacts(
    asked=lambda of: _asked(_jcf_admits, _jcf_taken_over, of),
    days={"birth_date": DayClause(lambda born, year: jcf_2024.is_junior(born, None, year))},
)
