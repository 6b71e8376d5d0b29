"""Whom the public sees by name, and whom by id only.

Of a member who is shown by id only, nothing is public but the id, the ratings and the games: no name, club or
sex, and no page that is sorted, filtered or searched by them gives such a member away. A birth date is
public of nobody: `Person` has none, and public lists are made with `birth_dates=False` (`pages.list_files`).
"""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from banzuke.core import facts
from banzuke.database.models import Contact, Pool
from banzuke.office.fact_rows import standing_rows
from banzuke.office.merged_ids import merged_into
from banzuke.office.raw_sql import Statements, in_values
from banzuke.words import Language


class Person(NamedTuple):
    """A player as the public may see; without a name where the player is shown by id only."""

    player_id: str
    name: str = ""
    name_native: str = ""

    def called(self, lang: Language) -> str:
        """The name in that language; the id where there is none."""
        first, other = (self.name_native, self.name) if lang == "ja" else (self.name, self.name_native)
        return first or other or self.player_id

    def also(self, lang: Language) -> str:
        """The name in the other script; blank where there is none."""
        other = self.name if lang == "ja" else self.name_native
        return other if other != self.called(lang) else ""


#: Whether anybody of a pool ever was.
_ANYBODY = "SELECT 1 FROM book_contact WHERE pool_id = %s AND by_id_only LIMIT 1"


def by_id_only(pool: Pool) -> frozenset[str]:
    """The ids of the pool's members who are shown by id only, as of now.

    The entries that were put together with theirs are of the same person: in lists of before, they are too.
    """
    if Statements().repeat(_ANYBODY, [pool.pk]).fetchone() is None:
        return frozenset()
    contacts = Contact.objects.filter(pool=pool)
    ever = contacts.filter(by_id_only=True).values("player_id")
    last = dict(contacts.filter(player_id__in=ever).order_by("pk").values_list("player_id", "by_id_only"))
    hidden = {player for player, is_hidden in last.items() if is_hidden}
    return frozenset(hidden | merged_into(pool, hidden) if hidden else hidden)


def person(player_id: str, name: str, name_native: str, hidden: frozenset[str]) -> Person:
    """A player with the names that were entered; without names where the player is shown by id only."""
    return Person(player_id) if player_id in hidden else Person(player_id, name, name_native)


def people(pool: Pool, ids: Iterable[str], hidden: frozenset[str] | None = None) -> dict[str, Person]:
    """The players of these ids, by id, as the public may know them now; `hidden` if that is known already."""
    return _withheld(names_in_register(pool, ids), by_id_only(pool) if hidden is None else hidden)


def go_people(pool: Pool, ids: Iterable[str]) -> dict[str, Person]:
    """The same of a pool of Go, which is quicker."""
    wanted = set(ids)
    one_of, values = in_values(wanted)
    text = (
        f"SELECT g.player_id, {go_person_columns('g')} FROM book_goplayer g "  # noqa: S608  # no input
        f"WHERE g.pool_id = %s AND g.player_id {one_of}"
    )
    rows = Statements().repeat(text, [pool.pk, *values]).fetchall()
    return {player: Person(player) for player in wanted} | go_people_of(pool, rows)


def go_person_columns(of: str) -> str:
    """What is to be known of a Go player, for a statement that has rows `of` with a pool and a player's id.

    The newest name, whether the newest contact says by id only, and 1 for who ever was put together with
    another.
    """
    # By `id` alone, PostgreSQL may look for the player through all rows from the last one on.
    own = f"pool_id = {of}.pool_id AND player_id = {of}.player_id ORDER BY id + 0 DESC LIMIT 1"
    return (
        f"(SELECT name FROM book_goplayer WHERE {own}), "  # noqa: S608  # no input
        f"(SELECT by_id_only FROM book_contact WHERE {own}), "
        f"(SELECT 1 FROM book_merge WHERE pool_id = {of}.pool_id AND merged = {of}.player_id LIMIT 1)"
    )


def go_people_of(pool: Pool, rows: Sequence[Sequence[Any]]) -> dict[str, Person]:
    """The Go players of rows that have an id and those columns, by id."""
    hidden = frozenset(player for player, _, is_hidden, _ in rows if is_hidden)
    if any(was_merged for *_, was_merged in rows):
        hidden |= by_id_only(pool)
    return {player: person(player, name or "", "", hidden) for player, name, _, _ in rows}


def _withheld(people: dict[str, Person], hidden: frozenset[str]) -> dict[str, Person]:
    return {player: Person(player) if player in hidden else known for player, known in people.items()}


def names_in_register(pool: Pool, ids: Iterable[str]) -> dict[str, Person]:
    """The players of these ids, by id, as their pool's register has them now: for its officers."""
    wanted = set(ids)
    found = {player: Person(player) for player in wanted}
    rows = standing_rows(pool, facts.Player).filter(player_id__in=wanted)
    named = list(rows.values_list("player_id", "name", "name_native"))
    if not named:
        return found | _of_go(pool, wanted)
    return found | {player: Person(player, name, native) for player, name, native in named}


def _of_go(pool: Pool, wanted: Collection[str]) -> dict[str, Person]:
    one_of, values = in_values(wanted)
    text = f"SELECT id, player_id, name FROM book_goplayer WHERE pool_id = %s AND player_id {one_of}"  # noqa: S608
    rows = Statements().repeat(text, [pool.pk, *values]).fetchall()
    return {player: Person(player, name) for _, player, name in sorted(rows)}  # the last name holds
