"""The files of a report: how many and how large they may be, their names, and what is in them."""

import hashlib
import unicodedata
from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import chain, count, islice
from pathlib import PurePath
from typing import NamedTuple

from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.database.models import Report, ReportFile
from banzuke.exchange.incoming_files import Incoming, people_data_kind, read_files
from banzuke.formats.files import mail, zip_files
from banzuke.formats.files.zip_files import ZIP_SIGNATURE, unpacks_within
from banzuke.formats.report import Report as Reported
from banzuke.office.inbox.repeated_names import find_repeated

#: A file's name and bytes.
File = tuple[str, bytes]
MIB = 1 << 20
#: How many files a report may have, and how large one of them and all together may be, in MiB.
MOST_FILES, MOST_MIB, MOST_MIB_TOGETHER = 50, 20, 60
#: How much a packed file (a workbook, also one in a mail) may unpack to, in MiB.
MOST_UNPACKED_MIB = 100
#: The most events of a report, and the most faults shown of one; more would fill a page that people read.
MOST_EVENTS, MOST_FAULTS = 50, 200
#: The longest name that a file keeps, in characters.
LONGEST_NAME = 100
#: So many reports' contents are cached.
MOST_CACHED = 16
_NOTHING = Incoming([], None, [], [], [])


class Contents(NamedTuple):
    """What a report's files hold: reports of events or games, or `people` (a list of members, no report)."""

    incoming: Incoming
    people: str
    faults: tuple[Fault, ...]


def check_files(files: Iterable[File], taken: Iterable[str] = ()) -> list[File]:
    """The files under names that are safe to keep and to show, each another one than those taken.

    Raises RefusedError for none, for too many, and for any that is too large.
    """
    given, named, known = list(files), list[File](), set(taken)
    if not given:
        raise RefusedError([fault("", 0, "", "inbox-no-file")])
    if len(given) > MOST_FILES:
        raise RefusedError([fault("", 0, "", "inbox-many-files", files=len(given), most=MOST_FILES)])
    for name, data in given:
        named.append((_free_name(safe_name(name), known), data))
        known.add(named[-1][0])
    large = [name for name, data in named if len(data) > MOST_MIB * MIB]
    refuse_any([fault(name, 0, "", "inbox-large-file", most=MOST_MIB) for name in large])
    if sum(len(data) for _, data in named) > MOST_MIB_TOGETHER * MIB:
        raise RefusedError([fault("", 0, "", "inbox-large", most=MOST_MIB_TOGETHER)])
    return named


def safe_name(name: str) -> str:
    """A file's name without folders and without what cannot be seen; never blank."""
    last = name.replace("\\", "/").rpartition("/")[2]
    shown = "".join(c for c in unicodedata.normalize("NFC", last) if c.isprintable()).strip(" .")
    path = PurePath(shown or "file")
    return path.stem[: LONGEST_NAME - len(path.suffix[:20])] + path.suffix[:20]


def _free_name(name: str, taken: Collection[str]) -> str:
    """The name, with a number where it is taken."""
    path = PurePath(name)
    numbered = (f"{path.stem}-{number}{path.suffix}" for number in count(2))
    return next(free for free in chain([name], numbered) if free not in taken)


def sha256(data: bytes) -> str:
    """The file's SHA-256 in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def read_contents(report: Report) -> Contents:
    """What is in a report's files. Raises nothing: what cannot be read is among the faults."""
    rows = ReportFile.objects.filter(report=report).order_by("pk").values_list("name", "data")
    return read(tuple((name, bytes(data)) for name, data in rows))


@lru_cache(maxsize=MOST_CACHED)
def read(files: tuple[File, ...]) -> Contents:
    """What is in these files; a file that unpacks to too much is not looked into, nor are too many events.

    A name that is in a report twice is a fault of it.
    """
    faults = [f for name, data in files for f in _find_traps(name, data)]
    traps = {found.file for found in faults}
    sound = [(name, data) for name, data in files if name not in traps]
    people = people_data_kind(sound[0][1], sound[0][0]) if len(files) == 1 and sound else ""
    incoming = _NOTHING if people else read_files(sound)
    if len(incoming.reports) > MOST_EVENTS:
        many = fault("", 0, "", "inbox-many-events", events=len(incoming.reports), most=MOST_EVENTS)
        return Contents(_NOTHING, "", (*faults, many))
    return Contents(_shorten(incoming), people, tuple(faults))


def _shorten(incoming: Incoming) -> Incoming:
    """With as many faults and remarks as anybody reads."""
    reports = [
        (name, report._replace(faults=_all_faults(name, report), remarks=report.remarks[:MOST_FAULTS]))
        for name, report in incoming.reports
    ]
    go = incoming.go and incoming.go._replace(faults=incoming.go.faults[:MOST_FAULTS])
    faults, remarks = incoming.faults[:MOST_FAULTS], incoming.remarks[:MOST_FAULTS]
    return incoming._replace(reports=reports, go=go, faults=faults, remarks=remarks)


def _all_faults(name: str, report: Reported) -> tuple[Fault, ...]:
    """The faults of a report, with those of its names."""
    return (*report.faults, *islice(find_repeated(name, report.players), MOST_FAULTS))[:MOST_FAULTS]


def _find_traps(name: str, data: bytes) -> list[Fault]:
    """A fault for a file, or one in a mail, that unpacks to far more than a report holds, or to too many."""
    parts = mail.read(data, name).attachments if mail.looks_like(data) else [(name, data)]
    for _, part in parts:
        if part.startswith(ZIP_SIGNATURE) and zip_files.count_entries(part) > zip_files.MOST_FILES:
            return zip_files.read(part, name).faults
    is_trap = any(
        part.startswith(ZIP_SIGNATURE) and unpacks_within(part, MOST_UNPACKED_MIB * MIB) is False
        for _, part in parts
    )
    return [fault(name, 0, "", "inbox-unpacks", most=MOST_UNPACKED_MIB)] if is_trap else []
