"""What is in a report's files: read without a database, so that a process of its own can do it."""

from itertools import islice
from typing import NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.exchange.incoming_files import (
    FIDE_LIST,
    REGISTER,
    Incoming,
    kind_of,
    people_data_kind,
    read_files,
)
from banzuke.formats.files import mail, zip_files
from banzuke.formats.files.zip_files import ZIP_SIGNATURE, unpacks_within
from banzuke.formats.report import Report
from banzuke.office.inbox.repeated_names import find_repeated

#: How much a packed file (a workbook, also one in a mail) may unpack to, in MiB.
MOST_UNPACKED_MIB = 100
#: The most events of a report, and the most faults shown of one; more would fill a page that people read.
MOST_EVENTS, MOST_FAULTS = 50, 200
#: The most players of chess, several times the largest events (each is looked for in the register by
#: likeness), and the most games.
MOST_PLAYERS, MOST_GAMES = 5_000, 50_000
NOTHING = Incoming([], None, [], [], [])
#: What is said of a list of people, by its kind.
PEOPLE = {REGISTER: "inbox-register", FIDE_LIST: "inbox-fide-list"}
_MIB = 1 << 20


class Contents(NamedTuple):
    """What a report's files hold: reports of events or games, or `people` (a list of members, no report)."""

    incoming: Incoming
    people: str
    faults: tuple[Fault, ...]


def read(files: tuple[tuple[str, bytes], ...]) -> Contents:
    """What is in these files; a file that unpacks to too much is not looked into, nor are too many events.

    A name that is in a report twice is a fault of it.
    """
    faults = [f for name, data in files for f in _find_traps(name, data)]
    traps = {found.file for found in faults}
    sound = [(name, data) for name, data in files if name not in traps]
    people = people_data_kind(sound[0][1], sound[0][0]) if len(files) == 1 and sound else ""
    incoming = NOTHING if people else read_files(sound)
    if len(incoming.reports) > MOST_EVENTS:
        many = fault("", 0, "", "inbox-many-events", events=len(incoming.reports), most=MOST_EVENTS)
        return Contents(NOTHING, "", (*faults, many))
    players, games = count_rows(incoming)
    if players > MOST_PLAYERS or games > MOST_GAMES:
        limits = {"players": MOST_PLAYERS, "games": MOST_GAMES}
        return Contents(NOTHING, "", (*faults, fault("", 0, "", "inbox-many-players", **limits)))
    return Contents(_shorten(incoming), people, tuple(faults))


class Sorted(NamedTuple):
    """Files that came together, by their places: those of one event in one group; and what is no report."""

    groups: tuple[tuple[int, ...], ...]
    refused: tuple[tuple[int, Fault], ...]


def sort_files(files: tuple[tuple[str, bytes], ...]) -> Sorted:
    """Which of the files are pages of one event or games of Go with their table, and which are no report."""
    groups: list[tuple[set[str], list[int]]] = []
    refused: list[tuple[int, Fault]] = []
    for place, (name, data) in enumerate(files):
        keys, why = _keys_of(name, data)
        if why is not None:
            refused.append((place, why))
            continue
        joined = [group for group in groups if group[0] & keys]
        groups = [group for group in groups if group not in joined]
        keys |= {key for group in joined for key in group[0]}
        groups.append((keys, [*(number for group in joined for number in group[1]), place]))
    return Sorted(tuple(sorted(tuple(sorted(places)) for _, places in groups)), tuple(refused))


def _keys_of(name: str, data: bytes) -> tuple[set[str], Fault | None]:
    """What joins a file with others that have the same; or why it is no report."""
    traps = _find_traps(name, data)
    if traps:
        return set(), traps[0]
    people = people_data_kind(data, name)
    if people:
        return set(), fault(name, 0, "", PEOPLE[people])
    kind = kind_of(name, data)
    if not kind.is_report:
        return set(), (kind.faults or (fault(name, 0, "", "inbox-nothing"),))[0]
    return {f"event {event}" for event in kind.events} | ({"go"} if kind.is_go else set()), None


def count_rows(incoming: Incoming) -> tuple[int, int]:
    """How many players of chess, and how many games."""
    players = sum(len(report.players) for _, report in incoming.reports)
    games = sum(len(report.games) for _, report in incoming.reports)
    return players, games + (len(incoming.go.games) if incoming.go else 0)


def _shorten(incoming: Incoming) -> Incoming:
    """With as many faults and remarks as anybody reads."""
    reports = [
        (name, report._replace(faults=_all_faults(name, report), remarks=report.remarks[:MOST_FAULTS]))
        for name, report in incoming.reports
    ]
    go = incoming.go and incoming.go._replace(faults=incoming.go.faults[:MOST_FAULTS])
    faults, remarks = incoming.faults[:MOST_FAULTS], incoming.remarks[:MOST_FAULTS]
    return incoming._replace(reports=reports, go=go, faults=faults, remarks=remarks)


def _all_faults(name: str, report: Report) -> tuple[Fault, ...]:
    """The faults of a report, with those of its names."""
    return (*report.faults, *islice(find_repeated(name, report.players), MOST_FAULTS))[:MOST_FAULTS]


def _find_traps(name: str, data: bytes) -> list[Fault]:
    """A fault for a file, or one in a mail, that unpacks to more bytes or files than any report has."""
    parts = mail.read(data, name).attachments if mail.looks_like(data) else [(name, data)]
    for _, part in parts:
        if part.startswith(ZIP_SIGNATURE) and zip_files.count_entries(part) > zip_files.MOST_FILES:
            return zip_files.read(part, name).faults
    is_trap = any(
        part.startswith(ZIP_SIGNATURE) and unpacks_within(part, MOST_UNPACKED_MIB * _MIB) is False
        for _, part in parts
    )
    return [fault(name, 0, "", "inbox-unpacks", most=MOST_UNPACKED_MIB)] if is_trap else []
