"""The leaves of a list's tree: for each player what the list says of them, as lines of its content.

The content is what a list's hash is made of (`banzuke.engine.list_content`). A leaf is UTF-8 text with
LF, cells quoted only where needed:

1. `banzuke player,1`;
2. `list` and the list's name;
3. for each event of the changes below `event`, its id and its name, in the order of the ids;
4. `person` and a commitment to who the player is (`person_commitment`);
5. the header of the list's rows and the player's rows, then that of its changes and the player's changes,
   and, if the player has some, that of its adjusted ratings and the player's adjusted ratings, each line
   exactly as it stands in the content.

The leaves stand in the order of the bytes of the players' ids. Whoever has a row or a change has a leaf.
"""

import csv
import hashlib
import hmac
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import NamedTuple

from banzuke.core.facts import SPEEDS
from banzuke.core.gc_pause import uncollected
from banzuke.formats.files.text import csv_text
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.strict_text import json_text, number

FIRST_LINE = "banzuke player,1\n"
#: How the headers of a content begin, that of its rows and that of its changes: chess, Go.
ROWS = ("list,speed,player_id,", "player_id,rank,points,")
CHANGES = ("list,speed,event_id,round,player_id,", "game_id,player_id,opponent_id,")
#: The columns that are read of a leaf's rows and of its changes: chess, Go.
_OF_ROWS = ({"rating", "games"}, {"rank", "rated_games"})
_OF_CHANGES = ({"score", "change", "verdict"}, {"won", "points", "verdict"})
#: The header of what adjustments were for; chess alone has some.
ADJUSTED = "list,speed,player_id,adjustment_id,before,after"
KEY_BYTES = 32
#: What a commitment is over.
PERSON = ("name", "name_native", "club_id", "sex", "group")
_COMMITMENT = re.compile(r"[0-9a-f]{64}")


class PlayerRows(NamedTuple):
    """The lines of one player in a content: of the list, of its changes; and of which events these are.

    `adjusted` are those of adjusted ratings.
    """

    rows: list[str]
    changes: list[str]
    events: set[str]
    adjusted: list[str]


class SplitContent(NamedTuple):
    """A list's content: its name, both headers, each player's lines, and the entry it was made from."""

    name: str
    header: str
    changes_header: str
    players: dict[str, PlayerRows]
    entry: int


class Leaf(NamedTuple):
    """What a leaf says: the list's name, the player, the commitment, events; by column its other lines."""

    name: str
    player: str
    person: str
    events: dict[str, str]
    rows: list[dict[str, str]]
    changes: list[dict[str, str]]
    adjusted: list[dict[str, str]]


class Person(NamedTuple):
    """Who a player is, and the key that a commitment was made with."""

    key: bytes
    facts: tuple[str, ...]

    @property
    def commitment(self) -> str:
        """What a leaf has of the person."""
        return person_commitment(self.key, self.facts)


def person_key(salt: bytes, pool: str, name: str, revision: int) -> bytes:
    """The key of a player's commitment in one list, from the player's salt."""
    return hmac.digest(salt, f"{pool}/{name}/{revision}".encode(), "sha256")


def person_commitment(key: bytes, facts: Sequence[str]) -> str:
    """A commitment to who a player is (`PERSON`): without the key nobody can tell what it is over."""
    if len(key) != KEY_BYTES or len(facts) != len(PERSON):
        raise ValueError(facts)
    return hashlib.sha256(key + json_text(list(facts)).encode()).hexdigest()


def split_content(content: bytes) -> SplitContent:
    """A list's content by player, in the order of the leaves. Raises ProofError for what is none."""
    try:
        with uncollected():
            return _split(content.decode())
    except (csv.Error, ValueError, IndexError, StopIteration):
        raise ProofError("no-content") from None


def list_leaves(
    content: SplitContent, people: Mapping[str, str], events: Mapping[str, str]
) -> Iterator[bytes]:
    """The leaves in their order; `people` has the commitments by player, `events` the names by id.

    Raises ProofError for a player or an event that is missing there.
    """
    start = FIRST_LINE + csv_text([("list", content.name)]).removesuffix("\n")

    @cache
    def event_line(event: str) -> str:
        return csv_text([("event", event, events[event])]).removesuffix("\n")

    try:
        for player, (rows, changes, played, adjusted) in content.players.items():
            yield "\n".join([
                start, *map(event_line, sorted(played)), f"person,{people[player]}",
                content.header, *rows, content.changes_header, *changes,
                *([ADJUSTED] if adjusted else []), *adjusted, "",
            ]).encode()  # fmt: skip
    except KeyError as missing:
        raise ProofError("missing-in-record", what=missing.args[0]) from None


def read_leaf(leaf: bytes) -> Leaf:
    """What a leaf says. Raises ProofError for what is none."""
    try:
        return _read(leaf.decode())
    except (csv.Error, ValueError, IndexError, KeyError, StopIteration):
        raise ProofError("no-leaf") from None


def _split(text: str) -> SplitContent:
    lines = text.split("\n")
    if lines.pop():
        raise ValueError
    title, edition, header, *body, last = lines
    kind, name = _cells(title)
    word, entry = last.split(",")
    if (kind, word) != ("banzuke list", "entry") or not edition.startswith("edition,"):
        raise ValueError
    if not header.startswith(ROWS):
        raise ValueError
    second = next(place for place, line in enumerate(body) if line.startswith(CHANGES))
    third = body.index(ADJUSTED) if ADJUSTED in body else len(body)
    players: dict[str, PlayerRows] = {}
    _sort(players, header, body[:second], attrgetter("rows"))
    changes_header, changes = body[second], body[second + 1 : third]
    of_players = _sort(players, changes_header, changes, attrgetter("changes"))
    if "event_id" in _cells(changes_header):
        for player, event in zip(of_players, _column(changes_header, changes, "event_id"), strict=True):
            players[player].events.add(event)
    _sort(players, ADJUSTED, body[third + 1 :], attrgetter("adjusted"))
    in_order = {player: players[player] for player in sorted(players)}  # as their bytes in UTF-8 are
    return SplitContent(name, header, changes_header, in_order, number(entry))


def _sort(
    players: dict[str, PlayerRows],
    header: str,
    lines: Sequence[str],
    part: Callable[[PlayerRows], list[str]],
) -> list[str]:
    """Put lines into that part of their players' lines; whose each is."""
    found = _column(header, lines, "player_id")
    for player, line in zip(found, lines, strict=True):
        if player not in players:
            players[player] = PlayerRows([], [], set(), [])
        part(players[player]).append(line)
    return found


def _column(header: str, lines: Sequence[str], name: str) -> list[str]:
    """The cells of a column."""
    place = _cells(header).index(name)
    return [_cells(line)[place] if '"' in line else line.split(",", place + 1)[place] for line in lines]


def _cells(line: str) -> list[str]:
    return next(csv.reader([line], strict=True))


def _read(text: str) -> Leaf:
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    first, (word, name), row = next(rows), next(rows), next(rows)
    events = {}
    while row[0] == "event":
        _, event, called = row
        events[event] = called
        row = next(rows)
    (second_word, person), header, *others = row, *rows
    if ([*first], word, second_word) != (["banzuke player", "1"], "list", "person"):
        raise ValueError
    second = next(place for place, row in enumerate(others) if ",".join(row).startswith(CHANGES))
    adjusted_header = ADJUSTED.split(",")
    third = others.index(adjusted_header) if adjusted_header in others else len(others)
    found = [dict(zip(header, row, strict=True)) for row in others[:second]]
    changes = [dict(zip(others[second], row, strict=True)) for row in others[second + 1 : third]]
    adjusted = [dict(zip(adjusted_header, row, strict=True)) for row in others[third + 1 :]]
    (player,) = {row["player_id"] for row in (*found, *changes, *adjusted)}
    played = {row["event_id"] for row in changes if "event_id" in row}
    if not _COMMITMENT.fullmatch(person) or played != events.keys():
        raise ValueError
    _check_header(header, ROWS, _OF_ROWS)
    _check_header(others[second], CHANGES, _OF_CHANGES)
    if {row.get("speed", "") for row in (*found, *changes, *adjusted)} - {"", *SPEEDS}:
        raise ValueError
    if {row["list"] for row in (*found, *changes, *adjusted) if "list" in row} - {name}:
        raise ValueError
    return Leaf(name, player, person, events, found, changes, adjusted)


def _check_header(header: Sequence[str], begins: Sequence[str], needed: Sequence[set[str]]) -> None:
    """See that a header of chess or of Go has what is read of it, each column once. Raises ValueError."""
    written = ",".join(header)
    columns = next(of for start, of in zip(begins, needed, strict=True) if written.startswith(start))
    if len(set(header)) < len(header) or not columns <= set(header):
        raise ValueError(header)
