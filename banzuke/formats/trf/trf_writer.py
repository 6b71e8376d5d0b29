"""Writes an event with its national records as a tournament report in FIDE's TRF16 or TRF26.

UTF-8, lines ended by CR LF, every field at its columns counted in characters; what is not known is left out.
Read back, the report is the same but for what TRF has no place for, or this module settles so:

- A name longer than 33 characters is cut; control characters become blanks. Longer ids, ratings and
  federations are refused, for a cut id is another's.
- National records (after the players) stand for those with a national number, rating or native name, if a
  federation's code is given. TRF26 wants to know in record 172 how start ranks were made: `OTHER`, not coded.
- A round's day (132) is the first on which one of its games was played; days outside 2000-2099 have no place.
- A player without a game in a round was absent (`0000 - Z`), or had a bye: half a point is asked for (`H`), a
  point is the pairing's (`U`) where one player of the round has one, else given (`F`). Points (standard
  values) and ranks (players of equal points share one) count games, forfeits and byes; points above 99.9 that
  do not fit are left blank.
- Minutes stand coded in TRF26 (222, a missing increment as none), and in words in 122 if the report has no
  text of its own. Organiser, reporter, form, speed, source, the days of reporting and the number of
  non-members have no place.
"""

import re
from collections import Counter
from datetime import date
from typing import Literal

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.formats.notation import format_time_control
from banzuke.formats.report import Report, ReportedEvent, ReportedPlayer
from banzuke.formats.trf.trf_rows import MOST_ROUNDS

_MOST_PLAYERS, _NAME = 9999, 33
_SIDES = {
    "1-0": "10",
    "0-1": "01",
    "1/2-1/2": "==",
    "u1-0": "WL",
    "u0-1": "LW",
    "u1/2-1/2": "DD",
    "+/-": "+-",
    "-/+": "-+",
    "-/-": "--",
}
_HALVES = {"1": 2, "W": 2, "+": 2, "=": 1, "D": 1}
_ABSENT = "  0000 - Z"
_FEDERATION = re.compile(r"(?!XX|BB|DAT|(.)\1\1)[A-Z]{3}", re.ASCII)
_NO_TEXT = re.compile("[\0-\x1f\x7f-\x9f\ud800-\udfff]")
_WIDTHS = {"fide_id": 11, "national_id": 11, "rating": 4, "national_rating": 4, "federation": 3}
_CENTURY = range(2000, 2100)


def write(report: Report, *, version: Literal[16, 26], federation_code: str = "") -> bytes:
    """Write the report; `federation_code` (`JPN`) begins the national records, blank leaves them out.

    Raises RefusedError with every reason why TRF cannot hold the report: a code that is none, start ranks
    that are not from 1 to 9999 or given twice, fields too long, rounds above 999, a player who is not in
    the list or has two games, or a game and a bye, in a round. The faults name no file and no line.
    """
    faults = [*_code_faults(federation_code), *_player_faults(report)]
    faults += [*_game_faults(report), *_bye_faults(report)]
    if faults:
        raise RefusedError(faults)
    rounds = max(
        [report.event.rounds, *(game.round for game in report.games), *(bye.round for bye in report.byes)]
    )
    lines = _header(report, rounds)
    if version == 26:  # noqa: PLR2004 - the versions are called by their years
        lines += _header_26(report.event, rounds, federation_code)
    lines += _rows(report, rounds)
    if federation_code:
        lines += [_national(federation_code, p) for p in report.players if _is_national(p)]
    return "".join(f"{line}\r\n" for line in lines).encode()


def _code_faults(code: str) -> list[Fault]:
    if not code or _FEDERATION.fullmatch(code):
        return []
    return [fault("", 0, "", "trf-unwritable-federation", text=code)]


def _player_faults(report: Report) -> list[Fault]:
    faults, given = [], Counter(player.number for player in report.players)
    for number, times in given.items():
        if times > 1 or not 1 <= number <= _MOST_PLAYERS:
            faults.append(fault("", 0, "", "trf-unwritable-number", number=number, most=_MOST_PLAYERS))
    for player in report.players:
        for name, width in _WIDTHS.items():
            text = str(getattr(player, name) or "")
            if len(text) > width:
                faults.append(
                    fault("", 0, "", "trf-unwritable-field", number=player.number, text=text, width=width)
                )
    return faults


def _game_faults(report: Report) -> list[Fault]:
    numbers, sides = {player.number for player in report.players}, Counter[tuple[int, int]]()
    for game in report.games:
        sides.update([(game.round, game.white), (game.round, game.black)])
    return [
        fault("", 0, "", "trf-unwritable-game", round=game.round, white=game.white, black=game.black)
        for game in report.games
        if not {game.white, game.black} <= numbers
        or not 1 <= game.round <= MOST_ROUNDS
        or sides[game.round, game.white] + sides[game.round, game.black] > 2  # noqa: PLR2004 - one a side
    ]


def _bye_faults(report: Report) -> list[Fault]:
    numbers = {player.number for player in report.players}
    busy = Counter((game.round, player) for game in report.games for player in (game.white, game.black))
    busy.update((bye.round, bye.player) for bye in report.byes)
    return [
        fault("", 0, "", "trf-unwritable-bye", round=bye.round, player=bye.player)
        for bye in report.byes
        if bye.player not in numbers or not 1 <= bye.round <= MOST_ROUNDS or busy[bye.round, bye.player] > 1
    ]


def _header(report: Report, rounds: int) -> list[str]:
    event, players = report.event, report.players
    allotted = event.time_control
    if not allotted and event.base_minutes is not None:
        allotted = f"{event.base_minutes} min + {event.increment_seconds or 0} sec"
    records = {
        "012": event.name,
        "022": event.place,
        "032": event.federation,
        "042": _day(event.starts),
        "052": _day(event.ends),
        "062": str(len(players)),
        "072": str(sum(player.rating is not None for player in players)),
        "102": event.responsible,
        "122": allotted,
    }
    lines = [f"{kind} {_text(text)}" for kind, text in records.items() if _text(text)]
    return lines + _round_days(report, rounds)


def _header_26(event: ReportedEvent, rounds: int, code: str) -> list[str]:
    minutes = event.base_minutes
    time_control = "" if minutes is None else format_time_control(minutes, event.increment_seconds or 0)
    records = {"142": str(rounds), "172": f"{code} OTHER" if code else "", "222": time_control}
    return [f"{kind} {text}" for kind, text in records.items() if text]


def _round_days(report: Report, rounds: int) -> list[str]:
    """Record 132: the first day of every round that has one."""
    days: dict[int, date] = {}
    for game in report.games:
        if game.played and game.played.year in _CENTURY:
            days[game.round] = min(game.played, days.get(game.round, game.played))
    texts = [f"{days[n]:%y/%m/%d}" if n in days else "" for n in range(1, rounds + 1)]
    return [f"132{'':88}" + "  ".join(f"{day:8}" for day in texts).rstrip()] if days else []


def _rows(report: Report, rounds: int) -> list[str]:
    players = sorted(report.players)
    cells, halves = _rounds(report, {player.number: [_ABSENT] * rounds for player in players})
    ordered = sorted(halves.values(), reverse=True)
    ranks = {points: rank for rank, points in reversed(list(enumerate(ordered, 1)))}
    rows = []
    for p in players:
        about = _fields(p.sex, p.name, p.rating, p.federation, p.fide_id, p.birth_date, p.title)
        standing = f"{_points(halves[p.number]):>4} {ranks[halves[p.number]]:4}"
        rows.append(f"001 {p.number:4} {about} {standing}" + "".join(cells[p.number]))
    return rows


def _rounds(report: Report, cells: dict[int, list[str]]) -> tuple[dict[int, list[str]], dict[int, int]]:
    """The columns of every round, put into `cells` by start rank, and the points in halves."""
    halves = dict.fromkeys(cells, 0)
    for game in report.games:
        sides = ((game.white, game.black, "w"), (game.black, game.white, "b"))
        for (player, opponent, colour), result in zip(sides, _SIDES[game.result], strict=True):
            cells[player][game.round - 1] = f"  {opponent:4} {colour} {result}"
            halves[player] += _HALVES.get(result, 0)
    whole = Counter(bye.round for bye in report.byes if bye.half_points > 1)
    for bye in report.byes:
        kind = "H" if bye.half_points == 1 else "U" if whole[bye.round] == 1 else "F"
        cells[bye.player][bye.round - 1] = f"  0000 - {kind}"
        halves[bye.player] += bye.half_points
    return cells, halves


def _points(halves: int) -> str:
    whole, half = divmod(halves, 2)
    if whole < 100:  # noqa: PLR2004 - the field is four columns wide
        return f"{whole}.{5 * half}"
    return "" if half else f"{whole}"


def _is_national(player: ReportedPlayer) -> bool:
    return bool(player.national_id or player.national_rating or player.name_native)


def _national(code: str, p: ReportedPlayer) -> str:
    about = _fields(p.sex, p.name_native, p.national_rating, "", p.national_id, p.birth_date)
    return f"{code} {p.number:4} {about}".rstrip()


def _fields(
    sex: str, name: str, rating: int | None, origin: str, number: str, born: date | None, title: str = ""
) -> str:
    """Columns 10-79, which national records share with 001."""
    who = f"{sex:1}{_text(title)[:3]:>3} {_text(name)[:_NAME]:{_NAME}}"
    text = f"{who} {rating or '':>4} {origin:3} {number:>11}"
    return f"{text} {_day(born):10}"


def _day(day: date | None) -> str:
    return f"{day.year:04}/{day.month:02}/{day.day:02}" if day else ""


def _text(text: str) -> str:
    return _NO_TEXT.sub(" ", text).strip()
