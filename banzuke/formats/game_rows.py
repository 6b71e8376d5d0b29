"""What tables of games have in common: they may lack rounds, have a game twice, fill several sheets."""

from collections.abc import Hashable, Iterable

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.headings import FoundTable
from banzuke.formats.report import ReportedGame


def in_rounds(games: Iterable[ReportedGame]) -> list[ReportedGame]:
    """The games in rounds in which nobody plays twice, each as early as their order allows."""
    last: dict[int, int] = {}
    numbered = []
    for game in games:
        number = max(last.get(game.white, 0), last.get(game.black, 0)) + 1
        last[game.white] = last[game.black] = number
        numbered.append(game._replace(round=number))
    return sorted(numbered, key=lambda game: (game.round, game.line))


def games_twice(file: str, games: Iterable[tuple[int, Hashable]]) -> list[Fault]:
    """A remark for every game that stood before; `games` are lines, each with what tells its game apart."""
    first: dict[Hashable, int] = {}
    return [
        fault(file, line, "", "game-twice", first=before)
        for line, game in games
        if (before := first.setdefault(game, line)) != line
    ]


def sheets_unread(file: str, table: FoundTable) -> list[Fault]:
    """The remark that a workbook has more tables of games than the one that was read."""
    if not table.others:
        return []
    return [fault(file, 0, "", "game-sheets-unread", read=table.sheet.name, others=", ".join(table.others))]
