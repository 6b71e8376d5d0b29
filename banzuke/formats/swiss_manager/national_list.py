"""Writes the national rating list that Swiss-Manager imports, for organisers to take players from.

It is a table with the headings `ID_No;Name;Sex;Fed;Clubnumber;ClubName;Birthday;Rtg_Nat;Fide_No;Rtg_Int`,
separated by semicolons. What no description settles is settled so:

- It is written in UTF-8 with a mark: the Russian federation's list for Swiss-Manager has names that no Latin
  code page holds, and by the mark a spreadsheet knows the encoding too. Lines end in CR LF.
- The sex is `f` for a woman and blank for anyone else.
- A birthday is text, `31/5/1990` or `1990`, and what is not given is written blank. Unrated is 0.
- A cell that a spreadsheet would run as a formula has an apostrophe before it.
"""

from collections.abc import Iterable
from typing import NamedTuple

from banzuke.formats.files.text import spreadsheet_csv

_HEADER = (
    "ID_No", "Name", "Sex", "Fed", "Clubnumber", "ClubName", "Birthday", "Rtg_Nat", "Fide_No", "Rtg_Int",
)  # fmt: skip


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
    rows = (player._replace(sex="f" if player.sex == "w" else "") for player in players)
    cells = ([" ".join(str(cell).split()) for cell in row] for row in rows)
    return spreadsheet_csv([_HEADER, *cells], delimiter=";")
