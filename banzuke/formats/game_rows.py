"""What tables of games have in common: they may lack rounds, have a game twice, fill several sheets."""

from collections.abc import Hashable, Iterable, Mapping

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.headings import FoundTable
from banzuke.formats.files.text import some_names
from banzuke.formats.notation import part_moment
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


def times_of_day(cells: Iterable[tuple[int, str]]) -> dict[int, str]:
    """The times of day by their lines, from cells with days; those without one are left out."""
    return {line: time for line, cell in cells if (time := part_moment(cell)[1])}


def games_twice(file: str, games: Iterable[ReportedGame], times: Mapping[int, str]) -> list[Fault]:
    """A remark for every game that stood before; `times` are the games' times of day by their lines."""
    first: dict[Hashable, int] = {}
    found = []
    for game in games:
        key = (game.played, times.get(game.line, ""), game.white, game.black, game.result)
        before = first.setdefault(key, game.line)
        if before != game.line:
            found.append(fault(file, game.line, "", "game-twice", first=before))
    return found


def sheets_unread(file: str, table: FoundTable) -> list[Fault]:
    """The remark that a workbook has more tables of games than the one that was read."""
    if not table.others:
        return []
    others = some_names(other.sheet.name for other in table.others)
    facts = {"read": some_names([table.sheet.name]), "others": others}
    return [fault(file, 0, "", "game-sheets-unread", **facts)]
