"""A list as a file of any kind that leaves the office, also as the player lists of other programs.

In FIDE's layout and in Swiss-Manager's national list the id is the pool's own, so that a report made with the
list brings it back; in FIDE's layout there is no other place for it. In a pool of FIDE's ids, ids and ratings
stand in FIDE's columns; who has no such id yet keeps the pool's, a national one. Games and K are left out:
FIDE's mean other things. A club's ratings stand as standard ones.
"""

from collections.abc import Iterator
from importlib.util import find_spec

from banzuke.core.facts import STANDARD, fide_number
from banzuke.core.fault import RefusedError, fault
from banzuke.exchange.export_headings import list_wording
from banzuke.formats.fide import fide_text, fide_xml
from banzuke.formats.fide.fide_player import FidePlayer
from banzuke.formats.lists import list_pdf, list_table, list_xlsx
from banzuke.formats.lists.rating_list import AnyList, ListedPlayer, Ranking, RatingList
from banzuke.formats.swiss_manager import national_list
from banzuke.formats.swiss_manager.national_list import NationalPlayer
from banzuke.words import Language

#: What registers write for a woman, and for a man.
WOMAN, MAN = frozenset(("f", "w", "女")), frozenset(("m", "男"))


def fide_players(listed: AnyList, federation: str) -> Iterator[FidePlayer]:
    """The list's players for FIDE's layout; the year of birth where the list has the day.

    Raises RefusedError for a Go ranking.
    """
    listed = _ratings(listed)
    for player in listed.players:
        sex = player.sex.lower()
        ratings = _by_speed(listed, player)
        yield FidePlayer(
            (listed.has_fide_ids and fide_number(player, has_fide_ids=True)) or player.player_id,
            player.name,
            federation,
            "F" if sex in WOMAN else "M" if sex in MAN else "",
            standard=ratings.get(STANDARD),
            rapid=ratings.get("rapid"),
            blitz=ratings.get("blitz"),
            birth_year=player.birth_date.year if player.birth_date else None,
        )


def national_players(listed: AnyList, speed: str, federation: str) -> Iterator[NationalPlayer]:
    """The list's players for Swiss-Manager, with their ratings at one speed; 0 for those without one.

    Raises RefusedError for a Go ranking, and a speed at which the list has no ratings.
    """
    listed = _ratings(listed)
    speeds = [known or STANDARD for known in listed.speeds]
    if speed not in speeds:
        facts = {"speed": speed, "speeds": ", ".join(speeds)}
        raise RefusedError([fault(listed.name, 0, "", "export-speed", **facts)])
    for player in listed.players:
        born, rating = player.birth_date, _by_speed(listed, player).get(speed) or 0
        is_fide = listed.has_fide_ids
        number = fide_number(player, has_fide_ids=is_fide)
        yield NationalPlayer(
            "" if is_fide and number else player.player_id,
            player.name,
            sex="w" if player.sex.lower() in WOMAN else "",
            federation=federation,
            club_name=player.club,
            birthday=f"{born.day}/{born.month}/{born.year}" if born else "",
            rating=0 if is_fide else rating,
            fide_no=number,
            fide_rating=rating if is_fide else 0,
        )


def _ratings(listed: AnyList) -> RatingList:
    if isinstance(listed, Ranking):
        raise RefusedError([fault(listed.name, 0, "", "export-go")])
    return listed


def _by_speed(listed: RatingList, player: ListedPlayer) -> dict[str, int]:
    ratings = zip(listed.speeds, player.ratings, strict=True)
    return {speed or STANDARD: rating.rating for speed, rating in ratings if rating is not None}


#: The kinds of files by the names that commands have for them, each with what its file's name ends with.
ENDINGS = {
    "csv": "csv",
    "xlsx": "xlsx",
    "json": "json",
    "parquet": "parquet",
    "pdf": "pdf",
    "fide-txt": "fide.txt",
    "fide-xml": "fide.xml",
    "swiss-manager": "swiss-manager.txt",
}
#: Kinds that only hold ratings, of one speed or more, and no ranking of Go.
OF_RATINGS = frozenset(("fide-txt", "fide-xml", "swiss-manager"))
#: The package that a kind needs, of an extra.
_NEEDS = {"parquet": "pyarrow", "pdf": "typst"}


def can_write(kind: str) -> bool:
    """Whether the extra that a kind of file needs is installed."""
    return kind not in _NEEDS or find_spec(_NEEDS[kind]) is not None


def list_file(listed: AnyList, kind: str, lang: Language, speed: str, federation: str = "") -> bytes:
    """The list as a file of that kind; `speed` is the one of which Swiss-Manager takes the ratings.

    Raises TooLargeError for an XLSX, NoFontError for a PDF, ModuleNotFoundError for what needs an extra, and
    RefusedError for a ranking of Go in a kind that holds ratings.
    """
    match kind:
        case "swiss-manager":
            return national_list.write(national_players(listed, speed, federation))
        case "fide-txt":
            return b"".join(fide_text.write_txt(fide_players(listed, federation), listed.name))
        case "fide-xml":
            return b"".join(fide_xml.write_xml(fide_players(listed, federation), listed.name))
        case "xlsx":
            return list_xlsx.write(listed, list_wording(listed, lang))
        case "pdf":
            return list_pdf.write(listed, list_wording(listed, lang))
        case "json":
            return list_table.write_json(listed)
        case "parquet":
            return list_table.write_parquet(listed)
        case _:
            return list_table.write_csv(listed)
