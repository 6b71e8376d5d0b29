"""Ratings in a register of members: the columns of one wide sheet, a rating a speed, with its games and peak.

What no register settles is settled so:

- A heading that names no speed, such as `Rating` or Swiss-Manager's `Rtg_Nat`, is of the pool's first one.
- A rating that is blank, 0, a dash or UR is none.
"""

from collections.abc import Iterable, Mapping, Sequence

from banzuke.core.facts import BLITZ, RAPID, STANDARD
from banzuke.core.fault import Fault, refuse_any
from banzuke.formats.files.text import plain
from banzuke.formats.lists.rating_list import measure_key
from banzuke.formats.member_register import find_places, heading_key, is_rating, rows_below, table

#: What a rating has in a sheet.
MEASURES = ("rating", "games", "peak")
#: How headings name a speed, and what they add for each measure, without case, blanks and signs.
_SPEEDS = {
    STANDARD: "standard std スタンダード classical",
    RAPID: "rapid rpd ラピッド",
    BLITZ: "blitz btz ブリッツ",
}
_MEASURES = {
    "rating": "rating rtg elo レーティング 持ち点 r",
    "games": "games n 対局数 局数 対局 試合数 numberofgames",
    "peak": "peak highest 最高 最高レーティング",
}
#: A rating that names no speed.
_OF_FIRST = {**_MEASURES, "rating": f"{_MEASURES['rating']} rtgnat nationalrating 国内レーティング"}
#: Columns that lists and programs have, and that nobody needs: they are calculated, or kept elsewhere.
_NEEDLESS = frozenset(
    (
        *("place", "rank", "k", "fed", "federation", "country", "age", "added", "struck", "earned"),
        *("rtgint", "fiderating", "fidestandard", "fiderapid", "fideblitz", "kana", "remarks", "notes"),
        *(
            "順位",
            "変動係数",
            "k係数",
            "連盟",
            "国",
            "年齢",
            "fideレーティング",
            "フリガナ",
            "カナ",
            "備考",
        ),
    )
)
_NEEDLESS_MEASURES = ("change", "増減", "status", "区分", "qualified", "資格", "k")


def rating_fields(speeds: Iterable[str]) -> list[str]:
    """The fields of ratings at those speeds: `standard_rating`, `standard_games` ...; `rating` of a club."""
    return [measure_key(speed, measure) for speed in speeds for measure in MEASURES]


def propose_ratings(headings: Iterable[str], speeds: Sequence[str]) -> dict[str, str]:
    """The heading of each field of a rating that one seems to mean."""
    names = {alias: field for field, aliases in _aliases(speeds).items() for alias in aliases}
    found: dict[str, str] = {}
    for heading in headings:
        field = names.get(heading_key(heading))
        if field is not None:
            found.setdefault(field, heading)
    return found


def is_needless(heading: str) -> bool:
    """Whether a heading is that of a column which nobody needs."""
    key = heading_key(heading)
    words = [word for names in _SPEEDS.values() for word in names.split()]
    bare = next((key.removeprefix(word) for word in words if key.startswith(word)), key)
    return key in _NEEDLESS or bare in _NEEDLESS_MEASURES


def _aliases(speeds: Sequence[str]) -> dict[str, set[str]]:
    """The headings of each field, without case, blanks and signs; those that name no speed of the first."""
    found: dict[str, set[str]] = {}
    for at, speed in enumerate(speeds):
        for measure, words in _MEASURES.items():
            names = {word for word in _OF_FIRST[measure].split() if at == 0}
            for spoken in _SPEEDS.get(speed, "").split():
                names |= {spoken + word for word in words.split()}
                names |= {spoken} if measure == "rating" else set()
            found[measure_key(speed, measure)] = names
    return found


def read_ratings(data: bytes, file: str, columns: Mapping[str, str]) -> list[tuple[int, dict[str, str]]]:
    """The cells of `id` and of the ratings' fields by row, each with its line; `columns` are their headings.

    Rows without any rating are left out. Raises RefusedError for a sheet without those columns.
    """
    faults: list[Fault] = []
    sheet = table(data, file, faults)
    places = {} if sheet is None else find_places(sheet, file, columns, faults)
    refuse_any(faults)
    rows = rows_below(sheet) if sheet else ()
    found = [(line, {field: _cell(row, at) for field, at in places.items()}) for line, row in rows]
    return [(line, cells) for line, cells in found if any(map(is_rating, _ratings(cells)))]


def _ratings(cells: Mapping[str, str]) -> list[str]:
    return [cell for field, cell in cells.items() if field.endswith("rating")]


def _cell(row: Sequence[str], at: int) -> str:
    return plain(row[at]) if at < len(row) else ""
