"""Puts the pages of one event together: the pairings of its rounds, its list of players.

Pages are of one event if they name one source, or, where a page names none, one event. Players are known by
their numbers; where a page had to number them itself, by their names. A name may be longer in one page than
in another, or have its comma, and is still the same.
"""

from typing import Any

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.text import first_numbers
from banzuke.formats.report import Report, ReportedBye, ReportedEvent, ReportedGame, ReportedPlayer

#: The code of the remark of a page that numbered its players itself.
NUMBERED_HERE = "cr-numbered-here"
#: So many letters of a name that was cut short must be left for it to be the same.
_LEAST_OF_NAME = 10


def merge_pages(reports: list[Report], file: str = "") -> Report:
    """The report of the whole event; if rounds are missing, which is a fault, `part` is those that are there.

    `file` names the pages in the faults that are found here; those of the pages are kept. What the pages
    contradict one another in is a fault, and left out.
    """
    joined = _PageMerger(reports, file)
    for report in sorted(reports, key=_numbers_itself):
        joined.take(report)
    return joined.report()


def _numbers_itself(report: Report) -> bool:
    return any(remark.code == NUMBERED_HERE for remark in report.remarks)


def _plain_name(name: str) -> str:
    return " ".join(name.replace(",", " ").casefold().split())


def _is_same(one: str, two: str) -> bool:
    short, long = sorted((_plain_name(one), _plain_name(two)), key=len)
    return short == long or (len(short) >= _LEAST_OF_NAME and long.startswith(short))


class _PageMerger:
    """The pages taken so far."""

    def __init__(self, reports: list[Report], file: str) -> None:
        self.file = file
        self.event = ReportedEvent()
        self.players: dict[int, ReportedPlayer] = {}
        self.games: dict[tuple[int, int, int], ReportedGame] = {}
        self.byes: set[ReportedBye] = set()
        self.faults: list[Fault] = []
        self.remarks: list[Fault] = []
        self.covered: set[int] = set()
        self.whole = False
        self.numbered = not all(_numbers_itself(report) for report in reports)

    def take(self, report: Report) -> None:
        """Take a page; one of another event is noted, and left out."""
        self.faults += report.faults
        self.remarks += report.remarks
        if not self._is_same_event(report.event):
            facts = {
                "name": report.event.name,
                "source": report.event.source,
                "first": self.event.name,
                "first_source": self.event.source,
            }
            self.faults.append(fault(self.file, 0, "", "joining-other-event", **facts))
            return
        self._fill_event(report.event)
        numbers = self._take_players(report)
        for game in report.games:
            if game.white in numbers and game.black in numbers:
                self._take_game(game._replace(white=numbers[game.white], black=numbers[game.black]))
        known = (bye for bye in report.byes if bye.player in numbers)
        self.byes |= {bye._replace(player=numbers[bye.player]) for bye in known}
        self.whole = self.whole or report.part is None
        self.covered |= report.part or set()

    def _is_same_event(self, event: ReportedEvent) -> bool:
        if self.event == ReportedEvent():
            return True
        if self.event.source and event.source:
            return self.event.source == event.source
        return _plain_name(self.event.name) == _plain_name(event.name)

    def _fill_event(self, event: ReportedEvent) -> None:
        """Take over what the event's record is still blank in; of numbers of rounds the larger."""
        rounds = max(self.event.rounds, event.rounds)
        self.event = self.event._replace(**_news(self.event._asdict(), event._asdict()))
        self.event = self.event._replace(rounds=rounds)

    def _take_players(self, report: Report) -> dict[int, int]:
        """Take the players whose names no other page contradicts: their numbers in the page, and here."""
        numbers: dict[int, int] = {}
        by_name = {_plain_name(player.name): number for number, player in self.players.items()}
        itself = _numbers_itself(report)
        for player in report.players:
            number = by_name.get(_plain_name(player.name), 0) if itself else player.number
            if not number and self.numbered and self.players:
                wrong = fault(self.file, player.line, "", "joining-unknown-name", name=player.name)
                self.faults.append(wrong)
                continue
            number = number or max(self.players, default=0) + 1
            known = self.players.get(number)
            if known and not _is_same(known.name, player.name):
                facts = {"number": number, "name": player.name, "other": known.name}
                self.faults.append(fault(self.file, player.line, "", "joining-names-clash", **facts))
                continue
            ours = player._replace(number=number)
            self.players[number] = _merge_player(known, ours) if known else ours
            numbers[player.number] = number
        return numbers

    def _take_game(self, game: ReportedGame) -> None:
        """Take a game; another page may tell it too, if it tells the same."""
        for key in ((game.round, game.white, game.black), (game.round, game.black, game.white)):
            known = self.games.get(key)
            if known and (known.white, known.result) != (game.white, game.result):
                facts = {
                    "round": game.round,
                    "white": self.players[game.white].name,
                    "black": self.players[game.black].name,
                    "result": game.result,
                    "other": known.result,
                }
                self.faults.append(fault(self.file, game.line, "", "joining-games-clash", **facts))
                return
        key = (game.round, game.white, game.black)
        known = self.games.get(key)
        self.games[key] = game._replace(played=known.played or game.played) if known else game

    def report(self) -> Report:
        """The joined report, with a fault for the rounds that no page covers."""
        missing = [] if self.whole else self._missing_rounds()
        incomplete = bool(missing) or not (self.whole or self.covered)
        games = sorted(self.games.values(), key=lambda game: game.round)
        players = [self.players[number] for number in sorted(self.players)]
        part = frozenset(self.covered) if incomplete else None
        notes = tuple(self.faults), tuple(self.remarks)
        return Report(self.event, tuple(players), tuple(games), *notes, part, tuple(sorted(self.byes)))

    def _missing_rounds(self) -> list[int]:
        """The rounds that no page covers; that there are some, or none is known to be the last, is noted."""
        last = max(self.covered, default=0)
        rounds = self.event.rounds or last
        missing = [number for number in range(1, rounds + 1) if number not in self.covered]
        if not self.covered:
            self.faults.append(fault(self.file, 0, "", "joining-no-rounds"))
        elif missing:
            facts = {"rounds": first_numbers(missing), "expected": rounds}
            self.faults.append(fault(self.file, 0, "", "joining-rounds-missing", **facts))
        elif not self.event.rounds:
            self.faults.append(fault(self.file, 0, "", "joining-rounds-unknown", last=last))
        return missing


def _merge_player(known: ReportedPlayer, more: ReportedPlayer) -> ReportedPlayer:
    """A player of two pages: what is blank in one from the other, and the fuller name."""
    name = max(known.name, more.name, key=lambda name: (len(_plain_name(name)), "," in name))
    return known._replace(**_news(known._asdict(), more._asdict()))._replace(name=name)


def _news(known: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """The fields of a record in which another one of its kind is still blank."""
    return {key: text for key, text in more.items() if known[key] in (None, "", 0)}
