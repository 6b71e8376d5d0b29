"""Reads over-the-board events from the headers of PGN games (`pgn_games` finds them).

What PGN leaves open, or files in use do otherwise, is settled so:

- Games with the same Event, Site and EventDate are one event, one report each; a site that is an address of
  the web, or has no letter (`01`), names no place and parts no events. Games without EventDate belong to the
  one event of that name.
- Players are joined by FIDE id, else by name, and numbered in order of appearance. Ratings, titles and teams
  are not taken: which list a rating is from, PGN does not say.
- Round `3` and board `3.12` are round 3. Where a pair meets again under another number (`1.1`, `1.2`: a
  match), every number is a round of its own; games without a round come last, each in its players' next free
  round; both with a remark.
- A day with question marks is none. For want of EventDate, and for the last day, the games' days serve if
  every game has one, with a remark.
- Of Termination only `forfeit`, `default` (the pairing is forfeited) and `unterminated` (under way) count; a
  loss on time is a game. Games in which not both sides have a move count as they stand, with a remark.
- Without Result, the result behind the moves serves; two that differ are a fault.
- A time control is taken in numbers only if `parse_minutes` finds them stated plainly.
"""

import re
from collections import defaultdict
from datetime import date
from itertools import islice
from typing import NamedTuple

import chess

from banzuke.core.fault import Fault, fault
from banzuke.formats.chess_results.headings import is_bye
from banzuke.formats.files.text import decode_text, plain, whole_number
from banzuke.formats.notation import VAGUE_DAY, may_mean_minutes, parse_day, parse_minutes, parse_result
from banzuke.formats.pgn.pgn_games import PgnGame, games_in, headless
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer, refused_report

#: The most games of a file: beyond is a database, not a report.
MOST_GAMES = 200_000
_BEGINNING = re.compile(
    rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?(?:\s++|[%;][^\r\n]*+)*"
    rb'\[(?:Event|Site|Date|Round|White|Black|Result)[ \t]++"'
)
_HEAD = 64 * 1024
_NUMBER = re.compile(r"[1-9]\d{0,3}(?:\.\d{1,4}){0,3}", re.ASCII)
_FIDE_ID = re.compile(r"\d{1,11}", re.ASCII)
_WEB = re.compile(r"(?i)https?://|www\.|(?:lichess|chess24|freechess)\.org|chess(?:24)?\.com")
_RESULTS = ("1-0", "1/2-1/2", "0-1", "+/-", "-/+", "-/-")
_FORFEITED = {"1-0": "+/-", "0-1": "-/+"} | {result: result for result in _RESULTS[3:]}
_ORTHODOX = ("", "standard", "normal", "chess", "from position")
_FIRST_POSITION = chess.STARTING_FEN.split()[0]


class _Entry(NamedTuple):
    """A game that is readable but for its round, which may be unknown (no numbers)."""

    game: PgnGame
    numbers: tuple[int, ...]
    white: int
    black: int
    result: str
    played: date | None


def looks_like(data: bytes) -> bool:
    """Whether the first thing in the file, after comments, is one of the tags that every game has."""
    return bool(_BEGINNING.match(data[:_HEAD].replace(b"\0", b"")))


def read(data: bytes, file: str) -> list[Report]:
    """Read the games in `data`, a report for each event, in order of appearance; raises nothing.

    `file` names it in the faults. There is at least one report: one without games says what is wrong.
    """
    text = decode_text(data)
    if text is None:
        return [refused_report(fault(file, 0, "", "pgn-no-text"))]
    found = list(islice(games_in(text), MOST_GAMES + 1))
    if len(found) > MOST_GAMES:
        return [refused_report(fault(file, found[-1].line, "", "pgn-too-many", most=MOST_GAMES))]
    events: dict[tuple[str, str], dict[str, list[PgnGame]]] = defaultdict(lambda: defaultdict(list))
    for game in found:
        site = game.value("site")
        place = "" if _WEB.search(site) or not any(map(str.isalpha, site)) else site
        events[game.value("event"), place][game.value("eventdate")].append(game)
    reports = [_Event(file, games).report() for dated in events.values() for games in _by_date(dated)]
    if not reports:
        return [refused_report(fault(file, 0, "", "pgn-no-games"))]
    if line := headless(text):
        faults = (fault(file, line, "", "pgn-no-header"), *reports[0].faults)
        reports[0] = reports[0]._replace(faults=faults)
    return reports


def _by_date(dated: dict[str, list[PgnGame]]) -> list[list[PgnGame]]:
    """The games of each EventDate; those without one belong to the only date, if there is only one."""
    if len(dated.keys() - {""}) == 1:
        return [sorted((game for games in dated.values() for game in games), key=lambda game: game.line)]
    return list(dated.values())


class _Event:
    """An event from its games: what is wrong, or worth a remark, is gathered on the way."""

    def __init__(self, file: str, games: list[PgnGame]) -> None:
        self.file = file
        self.games = games
        self.faults: list[Fault] = []
        self.remarks: list[Fault] = []
        self.players: dict[str, ReportedPlayer] = {}
        self.ids_of: dict[str, set[str]] = defaultdict(set)

    def fault(self, game: PgnGame, tag: str, code: str, **facts: object) -> None:
        self.faults.append(fault(self.file, game.at(tag.lower()), tag, code, **facts))

    def remark(self, game: PgnGame, tag: str, code: str, **facts: object) -> None:
        self.remarks.append(fault(self.file, game.at(tag.lower()), tag, code, **facts))

    def report(self) -> Report:
        for game in self.games:
            for side in ("white", "black"):
                self.ids_of[game.value(side)] |= {self.fide_id(game, side)} - {""}
        entries = [entry for game in self.games if (entry := self.entry(game))]
        self.tell_short(entries)
        games = self.one_game_a_round(self.with_rounds(entries))
        event = self.event()
        return Report(
            event,
            tuple(self.players.values()),
            tuple(sorted(games, key=lambda game: game.round)),
            tuple(sorted(self.faults, key=lambda f: f.line)),
            tuple(sorted(self.remarks, key=lambda f: f.line)),
        )

    def entry(self, game: PgnGame) -> _Entry | None:
        """The game, if it is readable and its own tags do not contradict one another.

        A round without an opponent is no game.
        """
        if is_bye(game.value("white")) or is_bye(game.value("black")):
            return None
        if game.broken:
            self.faults += [fault(self.file, line, "", "pgn-bad-tag") for line in game.broken]
            return None
        before = len(self.faults)
        self.faults += [fault(self.file, line, name, "pgn-tag-twice") for line, name in game.again]
        white, black = self.player(game, "White"), self.player(game, "Black")
        if white and white == black:
            self.fault(game, "Black", "pgn-plays-self", name=game.value("black"))
        result = self.result(game)
        numbers = self.numbers(game)
        self.check_orthodox(game)
        sound = len(self.faults) == before
        played = self.day(game, "Date")
        return _Entry(game, numbers, white, black, result, played) if sound else None

    def fide_id(self, game: PgnGame, side: str) -> str:
        """A side's FIDE id without leading zeros; blank where there is none or it is none."""
        text = plain(game.value(f"{side}fideid"))
        return text.lstrip("0") if _FIDE_ID.fullmatch(text) else ""

    def player(self, game: PgnGame, side: str) -> int:
        """The start rank of a side, 0 if it is not clear who that is."""
        name, text = game.value(side.lower()), plain(game.value(f"{side}fideid".lower()))
        fide_id, known = self.fide_id(game, side.lower()), self.ids_of[name] if name else set()
        if text and not _FIDE_ID.fullmatch(text):
            self.fault(game, f"{side}FideId", "pgn-bad-fide-id", text=text)
        if not fide_id and len(known) > 1:
            self.fault(game, side, "pgn-which-player", name=name, ids=", ".join(sorted(known)))
            return 0
        fide_id = fide_id or next(iter(known), "")
        if not name and not fide_id:
            self.fault(game, side, "pgn-nameless")
            return 0
        return self.numbered_player(game, side, name, fide_id)

    def numbered_player(self, game: PgnGame, side: str, name: str, fide_id: str) -> int:
        """The start rank of that player, entered at the first appearance."""
        new = ReportedPlayer(len(self.players) + 1, name, fide_id=fide_id, line=game.at(side.lower()))
        player = self.players.setdefault(fide_id or f"name {name}", new)
        if player.name != name and player.name and name:
            self.remark(game, side, "pgn-two-names", id=fide_id, name=name, first=player.name)
        return player.number

    def result(self, game: PgnGame) -> str:
        """The ledger's result, blank if it cannot be told; what is wrong is noted."""
        ending, termination = game.ending(), game.value("termination").casefold()
        written = game.value("result") or ending
        text = parse_result(written) or ""
        if plain(written) in ("", "*") or termination == "unterminated":
            self.fault(game, "Result", "pgn-under-way" if written else "pgn-no-result")
        elif text not in _RESULTS:
            self.fault(game, "Result", "pgn-bad-result", text=written)
        elif ending and text not in (ending, _FORFEITED.get(ending)):
            self.fault(game, "Result", "pgn-results-clash", text=text, ending=ending)
        elif termination not in ("forfeit", "default"):
            return text
        elif text not in _FORFEITED:
            self.fault(game, "Termination", "pgn-drawn-forfeit", text=termination)
        else:
            return _FORFEITED[text]
        return ""

    def numbers(self, game: PgnGame) -> tuple[int, ...]:
        """The numbers of Round: the round, and the board or the game of a match; none where it has none."""
        text = plain(game.value("round"))
        if text and not _NUMBER.fullmatch(text):
            self.fault(game, "Round", "pgn-bad-round", text=text)
            return ()
        return tuple(int(number) for number in text.split(".")) if text else ()

    def day(self, game: PgnGame, tag: str) -> date | None:
        """The day that a tag names; None if it leaves it open, with a fault if it names none."""
        text = plain(game.value(tag.lower()))
        day = parse_day(text)
        if day is None and not VAGUE_DAY.fullmatch(text.replace("?", "0")):
            self.fault(game, tag, "pgn-bad-day", text=text)
        return day

    def check_orthodox(self, game: PgnGame) -> None:
        """Games of another chess, or from another position, are not those that a rating office rates."""
        if game.value("variant").casefold() not in _ORTHODOX:
            self.fault(game, "Variant", "pgn-variant", text=game.value("variant"))
        elif game.value("fen") and game.value("fen").split()[0] != _FIRST_POSITION:
            self.fault(game, "FEN", "pgn-position")

    def tell_short(self, entries: list[_Entry]) -> None:
        """Remark how many games that count as played have no moves of both sides."""
        short = [e.game for e in entries if e.result in _RESULTS[:3] and not e.game.has_moves()]
        if short:
            self.remark(short[0], "", "pgn-no-moves", games=len(short))

    def with_rounds(self, entries: list[_Entry]) -> list[tuple[int, _Entry]]:
        """The games with their rounds, in the order of the file."""
        known = [entry for entry in entries if entry.numbers]
        rounds = {number: number[0] for number in sorted({entry.numbers for entry in known})}
        if _is_match(known):
            rounds = {number: at for at, number in enumerate(rounds, 1)}
            self.remark(known[0].game, "Round", "pgn-match-rounds", rounds=len(rounds))
        last = max(rounds.values(), default=0)
        busy: dict[int, int] = {}
        found = []
        for entry in entries:
            number = rounds.get(entry.numbers, 0)
            if not number:
                number = 1 + max(busy.get(entry.white, last), busy.get(entry.black, last))
                busy[entry.white] = busy[entry.black] = number
            found.append((number, entry))
        without = [entry.game for entry in entries if not entry.numbers]
        if without:
            self.remark(without[0], "Round", "pgn-no-round", games=len(without), first=last + 1)
        return found

    def one_game_a_round(self, numbered: list[tuple[int, _Entry]]) -> list[ReportedGame]:
        """The games of players who play once in a round; of games given twice, the first."""
        seats: dict[tuple[int, int], _Entry] = {}
        doubtful: set[int] = set()
        for number, entry in numbered:
            seat = next(((number, p) for p in (entry.white, entry.black) if (number, p) in seats), None)
            if seat is None:
                seats |= {(number, entry.white): entry, (number, entry.black): entry}
                continue
            first = seats[seat]
            doubtful.add(entry.game.line)
            same = {entry.white, entry.black} == {first.white, first.black}
            if not (same and (entry.white, entry.result) == (first.white, first.result)):
                doubtful.add(first.game.line)
            code = "pgn-game-twice" if same else "pgn-plays-twice"
            player = entry.game.value("white" if seat[1] == entry.white else "black")
            self.fault(entry.game, "Round", code, name=player, round=number, first=first.game.line)
        return [
            ReportedGame(number, e.white, e.black, e.result, e.played, e.game.line)
            for number, e in numbered
            if e.game.line not in doubtful
        ]

    def event(self) -> ReportedEvent:
        """The event: from the first game, its days and time control from all."""
        first = self.games[0]
        starts, ends = self.days()
        clock = {game.value("timecontrol"): game for game in self.games if game.value("timecontrol")}
        if len(clock) > 1:
            self.remark(list(clock.values())[1], "TimeControl", "pgn-time-controls", first=next(iter(clock)))
        site, allotted = first.value("site"), next(iter(clock)) if len(clock) == 1 else ""
        if _WEB.search(site):
            self.remark(first, "Site", "pgn-web", text=site)
            site = ""
        minutes, increment = parse_minutes(allotted)
        if may_mean_minutes(allotted):
            self.remark(clock[allotted], "TimeControl", "pgn-short-time", text=allotted)
        return ReportedEvent(
            name=first.value("event"),
            place=site if any(map(str.isalpha, site)) else "",
            time_control=allotted,
            base_minutes=minutes,
            increment_seconds=increment,
            starts=starts,
            ends=ends,
            rounds=whole_number(first.value("eventrounds"), 999) or 0,
        )

    def days(self) -> tuple[date | None, date | None]:
        """The event's first and last day, as far as the games tell them."""
        dated = next((game for game in self.games if game.value("eventdate")), self.games[0])
        starts = self.day(dated, "EventDate")
        days = [parse_day(plain(game.value("date"))) for game in self.games]
        for game, day in zip(self.games, days, strict=True):
            if starts and day and day < starts:
                self.fault(game, "Date", "pgn-before-start", day=day, starts=starts)
        known = sorted(day for day in days if day)
        if len(known) < len(days) or (starts and known[0] < starts):
            return starts, None
        self.remark(self.games[0], "", "pgn-days", starts=starts or known[0], ends=known[-1])
        return starts or known[0], known[-1]


def _is_match(entries: list[_Entry]) -> bool:
    """Whether pairs meet twice in a round under different numbers, and nobody meets two others in it."""
    met: dict[tuple[int, int], set[int]] = defaultdict(set)
    numbers: dict[tuple[int, int, int], set[tuple[int, ...]]] = defaultdict(set)
    for e in entries:
        met[e.numbers[0], e.white].add(e.black)
        met[e.numbers[0], e.black].add(e.white)
        numbers[e.numbers[0], min(e.white, e.black), max(e.white, e.black)].add(e.numbers)
    return any(len(n) > 1 for n in numbers.values()) and all(len(others) == 1 for others in met.values())
