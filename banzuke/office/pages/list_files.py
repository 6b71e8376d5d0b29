"""Published lists as files: made once from the stored rows, then kept in the office's folder.

A list never changes, so neither does its file, but for who is shown by id only.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from banzuke.core import facts
from banzuke.core.go_facts import CERTIFIED
from banzuke.core.rulebook import GoBook
from banzuke.database import models
from banzuke.database.book_reader import book_named, name_of, read_table
from banzuke.database.models import Club, Pool
from banzuke.engine.output_file import write_atomically
from banzuke.exchange.list_export import ListRow, People, listed_players
from banzuke.exchange.list_files import ENDINGS, OF_RATINGS, can_write, list_file
from banzuke.formats.lists.rating_list import AnyList, RankedPlayer, Ranking, RatingList
from banzuke.office.fact_rows import TABLES
from banzuke.office.lists.list_rows import Row
from banzuke.office.lists.preliminary_lists import until_of
from banzuke.office.lists.rehearsal import Rehearsal
from banzuke.office.pages.kept_files import kept_files
from banzuke.office.pages.log_page import place_in_log
from banzuke.office.public_names import by_id_only, person
from banzuke.office.register import clubs
from banzuke.words import Language

#: Kinds with words in the reader's language.
_WORDED = frozenset(("xlsx", "pdf"))
#: The kinds of files in which a rehearsal is given.
REHEARSAL_KINDS = ("csv", "xlsx")

#: Where the files are kept; in those of before, named `table`, FIDE ids stood that had been taken back.
FOLDER = "sheet"


def kinds_of(published: models.RatingList, *, all_speeds: bool = False) -> list[str]:
    """The kinds of files in which this office can give the list (`exchange.list_files.ENDINGS`).

    Swiss-Manager's has room for one speed: it is given of all of them only where a list has no others.
    """
    is_of_many = all_speeds and published.speeds != ("",)
    left_out = OF_RATINGS if published.is_go else {"swiss-manager"} if is_of_many else set()
    return [kind for kind in ENDINGS if kind not in left_out and can_write(kind)]


def tag(published: models.RatingList, kind: str, lang: Language) -> str:
    """What a file of the list is known by: the list's hash, and what else its bytes hang on."""
    hidden = ",".join(sorted(by_id_only(published.pool)))
    more: list[str] = [lang] if kind in _WORDED else []
    until = until_of(published)
    if until:
        more.append(f"preliminary-{until}")
    if kind == "pdf":
        more.append(sha256(_checkpoint(published).encode()).hexdigest()[:16])
    return "-".join(
        [published.sha256, *more, *([sha256(hidden.encode()).hexdigest()[:16]] if hidden else [])]
    )


def file_of(published: models.RatingList, speed: str | None, kind: str, lang: Language) -> bytes:
    """The list at one speed (None: all of them) as a file. Raises as `exchange.list_files.list_file`."""
    folder = kept_files(published) / f"{FOLDER}-{speed}" / kind
    kept = folder / tag(published, kind, lang)
    if kept.is_file():
        return kept.read_bytes()
    data = list_file(list_document(published, speed), kind, lang, speed or facts.STANDARD)
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(kept, data)
    _forget_others(folder, published, kind)
    return data


def _forget_others(folder: Path, published: models.RatingList, kind: str) -> None:
    """Files with the names of who is now shown by id only do not stay."""
    good = {tag(published, kind, "en"), tag(published, kind, "ja")}
    for path in folder.iterdir():
        if path.name not in good:
            path.unlink(missing_ok=True)


def list_document(published: models.RatingList, speed: str | None) -> AnyList:
    """The list as it leaves the house, at one speed (None: all of them); never with a birth date."""
    name, until = name_of(published.pool, published.entry_id), until_of(published)
    more = until, _checkpoint(published)
    if published.is_go:
        return Ranking(name, published.name, published.rulebook, tuple(_ranked(published)), *more)
    speeds = published.speeds if speed is None else (speed,)
    rows = published.rows.filter(speed__in=speeds).order_by()
    figures = [ListRow(published.name, *row) for row in rows.values_list(*ListRow._fields[1:])]
    people = People(_people(published, speeds), _clubs(published))
    players = listed_players(figures, speeds, people, birth_dates=False)
    return RatingList(name, published.name, published.rulebook, speeds, players, *more)


def _checkpoint(published: models.RatingList) -> str:
    place = place_in_log(published)
    return place.checkpoint if place else ""


def _people(published: models.RatingList, speeds: tuple[str, ...]) -> Mapping[str, facts.Player]:
    """The players as the list has them, with the FIDE ids of its time; by id only who is shown so."""
    hidden = by_id_only(published.pool)
    register = read_table(published.pool, TABLES[facts.Player], published.entry_id)
    fide_ids = {player.player_id: player.fide_id for player in register if player.struck is None}
    rows = published.rows.filter(speed__in=speeds).order_by()
    found = {}
    for player, name, native, sex, club in rows.values_list(
        "player_id", "name", "name_native", "sex", "club_id"
    ):
        if player in hidden:
            found[player] = facts.Player(player, player)
        else:
            found[player] = facts.Player(
                player, name, native, sex=sex, club_id=club, fide_id=fide_ids.get(player, "")
            )
    return found


def _clubs(published: models.RatingList) -> dict[str, str]:
    clubs = Club.objects.filter(pool=published.pool, entry_id__lte=published.entry_id).order_by("pk")
    return dict(clubs.values_list("club_id", "name"))


def _ranked(published: models.RatingList) -> list[RankedPlayer]:
    hidden = by_id_only(published.pool)
    return [
        ranked(row, person(row.player_id, row.name, "", hidden).called("en"))
        for row in published.rows.order_by("place", "player_id")
    ]


def ranked(row: models.ListRow | Row, name: str) -> RankedPlayer:
    """A row of a Go ranking under that name; only a certified player has a place."""
    place = row.place if row.status == CERTIFIED else None
    return RankedPlayer(place, row.player_id, name, row.written, row.rating, row.games)


def rehearsal_file(pool: Pool, of: Rehearsal, kind: str, lang: Language, mark: str) -> bytes:
    """A rehearsed list as a file for the office, with everybody's name.

    `mark` says in the reader's language that it is a rehearsal.
    """
    return list_file(_rehearsed_list(pool, of, f"{of.name} ({mark})"), kind, lang, facts.STANDARD)


def _rehearsed_list(pool: Pool, of: Rehearsal, name: str) -> AnyList:
    book = book_named(of.rulebook)
    if isinstance(book, GoBook):
        rows = sorted(of.rows, key=lambda row: (row.place, row.player_id))
        return Ranking(pool.name, name, of.rulebook, tuple(ranked(row, row.name) for row in rows))
    people = {
        r.player_id: facts.Player(r.player_id, r.name, r.name_native, sex=r.sex, club_id=r.club_id)
        for r in of.rows
    }
    figures = [
        ListRow(
            of.name, r.speed, r.player_id, r.rating or 0, r.games, r.change, r.peak, r.status, r.qualified
        )
        for r in of.rows
    ]
    players = listed_players(figures, book.speeds, People(people, clubs.names(pool)), birth_dates=False)
    return RatingList(pool.name, name, of.rulebook, book.speeds, players)
