"""The files of a report: how many and how large they may be, their names, and what is in them."""

import hashlib
import unicodedata
from collections.abc import Collection, Iterable, Sequence
from itertools import chain, count
from pathlib import PurePath
from threading import Lock
from time import monotonic_ns

from banzuke.core.fault import RefusedError, fault, refuse_any
from banzuke.database.models import Report, ReportFile
from banzuke.office.bounded_reading import SMALL, ReadersBusyError, read_bounded
from banzuke.office.inbox import report_contents
from banzuke.office.inbox.report_contents import NOTHING, PEOPLE, Contents, Sorted
from banzuke.office.page_words import in_office_words

#: A file's name and bytes.
File = tuple[str, bytes]
MIB = 1 << 20
#: How many files a report may have, and how large one of them and all together may be, in MiB.
MOST_FILES, MOST_MIB, MOST_MIB_TOGETHER = 50, 20, 60
#: The longest name that a file keeps, in characters.
LONGEST_NAME = 100
#: Contents are kept in memory up to so many players and games together (half a kilobyte each), as if each had
#: some more; that files could not be read is forgotten after so many seconds: the machine may have been busy.
MOST_ROWS, _ROWS_OF_EACH, FORGOTTEN_AFTER = 100_000, 100, 600
_Key = tuple[tuple[str, str], ...]


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
    rows = ReportFile.objects.filter(report=report, erased=None).order_by("pk")
    key = tuple(rows.values_list("name", "sha256"))  # without the files' bytes, which may be many
    if not key:
        return Contents(NOTHING, "", ())
    try:
        found = _known.find(key)
        if found is not None:
            return found
        files = [(name, bytes(data)) for name, data in rows.values_list("name", "data")]
        return read(files, report.author)
    except RefusedError as refused:
        return Contents(NOTHING, "", tuple(refused.faults))


def read(files: Sequence[File], whose: str = "") -> Contents:
    """What is in these files, read in a process of its own; `whose` they are as in `read_bounded`.

    Raises RefusedError for files that cannot be read within its limits.
    """
    key = tuple((name, sha256(data)) for name, data in files)
    found = _known.find(key)
    if found is None:
        try:
            found = read_bounded(SMALL, report_contents.read, tuple(files), whose=whose)
        except ReadersBusyError:
            raise
        except RefusedError as refused:
            _known.keep(key, refused, 0)
            raise
        _known.keep(key, found, sum(report_contents.count_rows(found.incoming)))
    return found


#: What makes a file no report at all, whatever comes with it.
NO_REPORT = frozenset(
    ("incoming-unknown", "incoming-empty-mail", "incoming-empty-zip", "incoming-too-large", "incoming-no-day")
)


def check_reports(files: Sequence[File], contents: Contents) -> None:
    """See that each of the files is a report or goes with one. Raises RefusedError for what is none.

    What is in a mail or a zip beside a report is passed over.
    """
    names = {name for name, _ in files}
    incoming = contents.incoming
    found = [one for one in incoming.faults if one.file in names and one.code in NO_REPORT]
    if contents.people:
        found.append(fault("", 0, "", PEOPLE[contents.people]))
    elif not (found or any(incoming[:4])):
        found = [*contents.faults] or [fault("", 0, "", "inbox-nothing")]
    refuse_any([in_office_words(one) for one in found])


def sort_files(files: Sequence[File], whose: str = "") -> Sorted:
    """Which files are of one event, and which are no report, read in a process of its own.

    Raises RefusedError for files that cannot be read within its limits.
    """
    found = read_bounded(SMALL, report_contents.sort_files, tuple(files), whose=whose)
    return found._replace(refused=tuple((place, in_office_words(why)) for place, why in found.refused))


class _ContentsInMemory:
    """What was read last, or why it could not be, by the names and hashes of the files."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._kept: dict[_Key, tuple[Contents | RefusedError, int, int]] = {}

    def find(self, key: _Key) -> Contents | None:
        """What is kept, and is now the last to be forgotten; None for nothing. Raises RefusedError."""
        with self._lock:
            found, rows, at = self._kept.pop(key, (None, 0, 0))
            is_refused = isinstance(found, RefusedError)
            if found is None or (is_refused and monotonic_ns() - at > FORGOTTEN_AFTER * 10**9):
                return None
            self._kept[key] = found, rows, at
        if isinstance(found, RefusedError):
            raise RefusedError(found.faults)
        return found

    def keep(self, key: _Key, found: Contents | RefusedError, rows: int) -> None:
        """Keep what takes so many rows; others are forgotten for it."""
        with self._lock:
            self._kept[key] = found, _ROWS_OF_EACH + rows, monotonic_ns()
            while len(self._kept) > 1 and sum(rows for _, rows, _ in self._kept.values()) > MOST_ROWS:
                del self._kept[next(iter(self._kept))]


_known = _ContentsInMemory()
