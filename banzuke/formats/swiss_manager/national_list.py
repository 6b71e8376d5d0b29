"""Writes and reads the national rating list that Swiss-Manager imports, for organisers to take players from.

It is a table with the headings `ID_No;Name;Sex;Fed;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int`,
parted by semicolons or in a workbook. What no description settles is settled so:

- It is written in UTF-8 with a mark: the Russian federation's list for Swiss-Manager has names that no Latin
  code page holds, and by the mark a spreadsheet knows the encoding too. Lines end in CR LF.
- The sex is `f` for a woman and blank for anyone else; `w` is read too, and `m` as blank.
- A birthday is text, `31/5/1990` or `1990`, and what is not given is written blank. Unrated is 0.
- A cell that a spreadsheet would run as a formula has an apostrophe before it, which reading takes off.
- Headings are read in any order and case; `Last Name` and `First Name` may stand for `Name`. Other columns
  (title, type, status, K) are passed over.
"""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from banzuke.core.fault import Fault, fault
from banzuke.formats.dates import VAGUE_DAY, day_of
from banzuke.formats.files.csv_escaping import as_meant, harmless
from banzuke.formats.files.spreadsheet import column_letter, sheets
from banzuke.formats.files.text_encoding import plain, whole_number
from banzuke.formats.report import MOST_FIDE_ID, MOST_RATING

if TYPE_CHECKING:
    from collections.abc import Iterable

_HEADINGS = (
    "ID_No",
    "Name",
    "Sex",
    "Fed",
    "Clubnumber",
    "ClubName",
    "Birthday",
    "Rtg_Nat",
    "Fide_No",
    "Rtg_Int",
)


class NationalPlayer(NamedTuple):
    """A player of a national list.

    `sex` is `w` or blank, `birthday` text as it stands in the list, `fide_no` blank where there is none;
    ratings are whole points, 0 for unrated.
    """

    id_no: str
    name: str
    sex: str = ""
    federation: str = ""
    club_number: str = ""
    club_name: str = ""
    birthday: str = ""
    rating: int = 0
    fide_no: str = ""
    fide_rating: int = 0


def write(players: Iterable[NationalPlayer]) -> bytes:
    """The list as a file; birthdays stand in it only where the players bring them."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\r\n")
    writer.writerow(_HEADINGS)
    for player in players:
        cells = player._replace(sex="f" if player.sex == "w" else "")
        writer.writerow([harmless(" ".join(str(cell).split())) for cell in cells])
    return b"\xef\xbb\xbf" + text.getvalue().encode()


def read(data: bytes, file: str) -> tuple[list[NationalPlayer], list[Fault]]:
    """Read a list (CSV, XLSX); gives the players of the sound rows and every fault. Raises nothing."""
    faults: list[Fault] = []
    found = sheets(data, file, faults)
    rows = found[0].rows if found else []
    places = {_key(heading): at for at, heading in reversed(list(enumerate(rows[0] if rows else [])))}
    missing = [name for name in ("ID_No", "Name", "Rtg_Nat") if _key(name) not in places]
    if "Name" in missing and _key("Last Name") in places:
        missing.remove("Name")
    if missing and not faults:
        faults.append(fault(file, 1, "", "swiss-manager-list-headings", missing=", ".join(missing)))
    if missing:
        return [], faults
    reader = _Rows(file, places, faults)
    return [player for row, cells in enumerate(rows[1:], 2) if (player := reader.player(row, cells))], faults


def _key(heading: str) -> str:
    return plain(heading).lower().replace(" ", "").replace("_", "")


@dataclass(slots=True)
class _Rows:
    """The rows below the headings; `places` are the columns by heading."""

    file: str
    places: dict[str, int]
    faults: list[Fault]
    seen: dict[str, int] = field(default_factory=dict)

    def player(self, row: int, cells: list[str]) -> NationalPlayer | None:
        """The player of a row; None if it is blank or something is wrong with it, which is noted."""
        if not any(cells):
            return None
        said = {
            heading: as_meant(cells[at]) if at < len(cells) else "" for heading, at in self.places.items()
        }
        name = said.get("name") or ", ".join(
            filter(None, (said.get(key) for key in ("lastname", "firstname")))
        )
        id_no, count = said["idno"], len(self.faults)
        if not name:
            self._fault(row, "name", "swiss-manager-list-nameless", number=id_no)
        if not id_no:
            self._fault(row, "idno", "swiss-manager-list-no-id", name=name)
        elif self.seen.setdefault(id_no, row) != row:
            self._fault(row, "idno", "swiss-manager-list-id-twice", number=id_no, first=self.seen[id_no])
        player = NationalPlayer(
            id_no,
            name,
            self._sex(row, said.get("sex", "")),
            said.get("fed", ""),
            said.get("clubnumber", ""),
            said.get("clubname", ""),
            self._birthday(row, said.get("birthday", "")),
            self._number(row, said, "rtgnat", MOST_RATING),
            str(self._number(row, said, "fideno", MOST_FIDE_ID) or ""),
            self._number(row, said, "rtgint", MOST_RATING),
        )
        return player if len(self.faults) == count else None

    def _fault(self, row: int, heading: str, code: str, **facts: object) -> None:
        column = column_letter(self.places[heading]) if heading in self.places else ""
        self.faults.append(fault(self.file, row, column, code, **facts))

    def _number(self, row: int, said: dict[str, str], heading: str, most: int) -> int:
        text = said.get(heading, "")
        number = whole_number(text, most) if text else 0
        if number is None:
            self._fault(row, heading, "swiss-manager-list-number", text=text, most=most)
        return number or 0

    def _sex(self, row: int, text: str) -> str:
        sex = plain(text).lower()
        if sex not in ("f", "w", "m", ""):
            self._fault(row, "sex", "swiss-manager-list-sex", text=text)
        return "w" if sex in ("f", "w") else ""

    def _birthday(self, row: int, text: str) -> str:
        if day_of(plain(text)) is None and not VAGUE_DAY.fullmatch(plain(text)):
            self._fault(row, "birthday", "swiss-manager-list-birthday", text=text)
        return text
