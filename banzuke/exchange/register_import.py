"""Take a register of members into a ledger: who is new, what changes, which memberships are added.

What is blank in the register changes nothing, and nobody who is missing from it is struck. Which column of a
register is what is remembered in the ledger's folder, by the headings. FIDE ratings are taken over once, by
whatever way: who has any, or had, keeps them.
"""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from banzuke.core.facts import ANNUAL, Membership, Player
from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.engine.namesakes import namesake_warnings
from banzuke.engine.output_file import write_atomically
from banzuke.exchange.title_updates import said_titles
from banzuke.formats.member_register import FIDE_RATINGS, FIELDS, ReportedMember
from banzuke.ledger.csv_table import cell_faults
from banzuke.ledger.folder import ChessLedger, read_chess_ledger
from banzuke.ledger.records import standing_records
from banzuke.ledger.safe_writing import locked, replace_ledger_tables
from banzuke.ledger.schema import CHESS
from banzuke.ledger.toml_files import read_toml
from banzuke.ledger.written_text import tidy

FILE = "register.toml"
ABOUT = "# Which column of a member register is what, by the register's headings (banzuke register).\n"
PLAYERS = next(table for table in CHESS if table.name == "players")


def load_columns(folder: Path, headings: list[str]) -> dict[str, str] | None:
    """The heading of each field, as it was chosen for these headings; None if it was not.

    A register with the ledger's own columns needs no saying. Raises RefusedError for a file that cannot
    be read.
    """
    own = own_columns(headings)
    if own is not None:
        return own
    return next((columns for known, columns in _all(folder) if known == headings), None)


def own_columns(headings: list[str]) -> dict[str, str] | None:
    """The heading of each field where they are the ledger's own; None where they are not."""
    if "player_id" in headings and set(headings) <= PLAYERS.columns.keys():
        return {"id": "player_id"} | {field: field for field in FIELDS if field in headings}
    return None


def save_columns(folder: Path, headings: list[str], columns: Mapping[str, str]) -> None:
    """Write down the heading of each field for these headings, in place of the earlier choice.

    Whoever calls it holds the ledger's lock.
    """
    kept = [(known, mapping) for known, mapping in _all(folder) if known != headings]
    text = ABOUT + "".join(_entry(known, mapping) for known, mapping in [*kept, (headings, columns)])
    write_atomically(folder / FILE, text.encode())


def _all(folder: Path) -> list[tuple[list[str], dict[str, str]]]:
    """The choices so far, by headings."""
    if not (folder / FILE).exists():
        return []
    faults: list[Fault] = []
    document = read_toml(folder / FILE, faults)
    entries = [] if document is None else document.get("register", [])
    if not faults and not (isinstance(entries, list) and all(_is_entry(entry) for entry in entries)):
        faults.append(fault(FILE, 0, "", "register-columns"))
    refuse_any(faults)
    return [(entry["headings"], entry["columns"]) for entry in entries]


def _is_entry(entry: Any) -> bool:
    if not isinstance(entry, dict):
        return False
    headings, columns = entry.get("headings"), entry.get("columns")
    return (
        isinstance(headings, list)
        and isinstance(columns, dict)
        and columns.keys() <= set(FIELDS)
        and all(isinstance(text, str) for text in (*headings, *columns.values()))
    )


def _entry(headings: list[str], columns: Mapping[str, str]) -> str:
    text = ", ".join(f"{field} = {_string(heading)}" for field, heading in columns.items())
    return f"\n[[register]]\nheadings = [{', '.join(map(_string, headings))}]\ncolumns = {{{text}}}\n"


def _string(text: str) -> str:
    """A text as TOML writes it: as JSON does, but for the one control character that JSON lets stand."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


#: The fields of a player that a register may say.
SAID = (
    "name",
    "name_native",
    "birth_date",
    "sex",
    "club_id",
    "fide_id",
    "title",
    "title_from",
    *FIDE_RATINGS,
)
TITLES = ("title", "title_from")


class Change(NamedTuple):
    """A field of a member that the register says otherwise; `old` may be blank or None."""

    player_id: str
    field: str
    old: Any
    new: Any


class Plan(NamedTuple):
    """What a register does to a ledger: players added, fields changed, memberships added.

    `same` counts the members whose fields stay as they are; `lapsed` those whose membership would have
    ended before it began, so that none is added; `remarks` say which names of new members others have, too.
    `ratings_kept` counts the members of whom the register has other FIDE ratings than those taken over.
    """

    added: tuple[Player, ...]
    changes: tuple[Change, ...]
    memberships: tuple[Membership, ...]
    same: int
    lapsed: int
    remarks: tuple[Fault, ...] = ()
    ratings_kept: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether nothing is to be written."""
        return not (self.added or self.changes or self.memberships)


class Register(NamedTuple):
    """A register as it was read: its file's name, its headings, the heading of each field, its members.

    `valid_from` is the first day of memberships of which the register says only the last.
    """

    file: str
    headings: list[str]
    columns: Mapping[str, str]
    members: list[ReportedMember]
    valid_from: date | None = None


def plan(folder: Path, register: Register) -> Plan:
    """What the register would do to the ledger of the folder, which stays as it is.

    Raises RefusedError with every fault of the ledger, or of the register against it.
    """
    return plan_for_ledger(read_chess_ledger(folder), register)


def plan_for_ledger(ledger: ChessLedger, register: Register) -> Plan:
    """What the register would do to a ledger, of which its players, clubs and memberships are looked at.

    Raises RefusedError with every fault of the register against it.
    """
    refuse_any(_faults(ledger, register))
    known = {player.player_id: player for player in standing_records(ledger.players, None)}
    clubs = _clubs_by_name(ledger)
    added = tuple(Player(m.id, **_given_fields(clubs, m)) for m in register.members if m.id not in known)
    with_ratings = {row.player_id for row in ledger.players if _has_fide_rating(row)}
    of_known = [(known[m.id], _given_fields(clubs, m)) for m in register.members if m.id in known]
    ratings_kept = sum(
        player.player_id in with_ratings and _has_other_ratings(player, given) for player, given in of_known
    )
    changed = [
        _changes(player, given, has_rating=player.player_id in with_ratings) for player, given in of_known
    ]
    memberships, lapsed = _memberships(ledger, register)
    changes = tuple(change for of_member in changed for change in of_member)
    remarks = tuple(_same_names(register, known.values(), added))
    return Plan(added, changes, memberships, changed.count([]), lapsed, remarks, ratings_kept)


def _same_names(register: Register, known: Iterable[Player], added: Collection[Player]) -> Iterator[Fault]:
    """A remark for each name of a new member that another one has, too."""
    new = {player.player_id for player in added}
    for remark in namesake_warnings([*known, *added], new) if new else ():
        yield remark._replace(file=register.file)


def carry_out(folder: Path, register: Register, agreed: Plan, asked: date | None = None) -> None:
    """Do what was agreed, all of it or nothing, and remember the register's columns.

    Changed fields replace the old ones; with `asked`, the day of an inquiry, the old row is struck and a
    new one added on that day, so that lists too old to be corrected keep what they were made from.
    Raises RefusedError where the ledger has changed since, or would not check.
    """
    with locked(folder):
        ledger = read_chess_ledger(folder)
        if plan_for_ledger(ledger, register) != agreed:
            raise RefusedError([fault(str(folder), 0, "", "register-outdated")])
        _all(folder)  # a damaged file is said before anything is written
        if not agreed.is_empty:
            tables: dict[str, list[Any]] = {"players": _players(ledger, agreed, asked)}
            if agreed.memberships:
                tables["memberships"] = [*ledger.memberships, *agreed.memberships]
            replace_ledger_tables(folder, ledger.pool, tables)
        save_columns(folder, register.headings, register.columns)


def _faults(ledger: ChessLedger, register: Register) -> list[Fault]:
    """What the ledger cannot take: members without a name, struck ones, memberships with one day only."""
    known = {player.player_id: player for player in standing_records(ledger.players, None)}
    struck = {player.player_id: player.struck for player in ledger.players} if register.members else {}
    clubs = _clubs_by_name(ledger)
    faults: list[Fault] = []
    for member in register.members:
        file, line = register.file, member.line
        if member.id not in known and member.id in struck:
            day = struck[member.id]
            faults.append(fault(file, line, "id", "register-struck", id=member.id, struck=day))
        elif member.id not in known and not member.name:
            faults.append(fault(file, line, "name", "register-nameless", id=member.id))
        else:
            faults += _written_faults(file, member, known.get(member.id), _given_fields(clubs, member))
        if member.valid_to and not (member.valid_from or register.valid_from):
            faults.append(fault(file, line, "valid_from", "register-no-start", day=member.valid_to))
        if member.valid_from and not member.valid_to:
            faults.append(fault(file, line, "valid_to", "register-no-end", day=member.valid_from))
    return faults


def _clubs_by_name(ledger: ChessLedger) -> dict[str, str]:
    return {club.name: club.club_id for club in ledger.clubs}


def _written_faults(
    file: str, member: ReportedMember, known: Player | None, given: Mapping[str, Any]
) -> list[Fault]:
    """What a ledger does not hold of what is said of a member, and what is not in it already."""
    player = (known or Player(member.id, ""))._replace(**given)
    found = (one._replace(file=file, line=member.line) for one in cell_faults(PLAYERS, player))
    return [
        one
        for one in found
        if known is None or getattr(known, one.column, None) != getattr(player, one.column, None)
    ]


def _given_fields(clubs: Mapping[str, str], member: ReportedMember) -> dict[str, Any]:
    """What the register says of a player; a club may be given by its name (`clubs`: the ids by names)."""
    values = {field: getattr(member, field) for field in SAID}
    values |= {field: tidy(values[field]) for field in ("name", "name_native", *TITLES)}
    values["title_from"] = values["title"] and values["title_from"]
    values["club_id"] = clubs.get(values["club_id"], values["club_id"])
    return {field: value for field, value in values.items() if value not in (None, "")}


def _has_fide_rating(player: Player) -> bool:
    return any(getattr(player, field) for field in FIDE_RATINGS)


def _has_other_ratings(player: Player, given: Mapping[str, Any]) -> bool:
    return any(field in given and given[field] != getattr(player, field) for field in FIDE_RATINGS)


def _changes(player: Player, given: Mapping[str, Any], *, has_rating: bool) -> list[Change]:
    """What a register says otherwise of a member; a FIDE rating that was taken over before stays."""
    passed_over = (*TITLES, *(FIDE_RATINGS if has_rating else ()))
    said = {field: value for field, value in given.items() if field not in passed_over}
    said |= said_titles(player, given.get("title", ""), given.get("title_from", ""))
    return [
        Change(player.player_id, field, getattr(player, field), value)
        for field, value in said.items()
        if getattr(player, field) != value
    ]


def _memberships(ledger: ChessLedger, register: Register) -> tuple[tuple[Membership, ...], int]:
    """The memberships that no standing one covers, and how many ended before they began."""
    held: dict[str, list[Membership]] = defaultdict(list)
    for row in standing_records(ledger.memberships, None):
        if row.kind == ANNUAL:
            held[row.player_id].append(row)
    added, lapsed = [], 0
    for member in register.members:
        starts, ends = member.valid_from or register.valid_from, member.valid_to
        if starts and ends and ends < starts:
            lapsed += 1
        elif starts and ends:
            is_held = any(row.valid_from <= starts and ends <= row.valid_to for row in held[member.id])
            added += [] if is_held else [Membership(member.id, ANNUAL, starts, ends)]
    return tuple(added), lapsed


def changed_fields(agreed: Plan) -> dict[str, dict[str, Any]]:
    """The new values of each changed member's fields, by id."""
    changes: dict[str, dict[str, Any]] = defaultdict(dict)
    for change in agreed.changes:
        changes[change.player_id][change.field] = change.new
    return changes


def _players(ledger: ChessLedger, agreed: Plan, asked: date | None) -> list[Player]:
    """The players with what was agreed: changed rows in their places, new ones at the end."""
    changes = changed_fields(agreed)
    rows: list[Player] = []
    for player in ledger.players:
        new = changes.get(player.player_id) if player.struck is None else None
        if new is None:
            rows.append(player)
        elif asked is None:
            rows.append(player._replace(**new))
        else:
            rows += [player._replace(struck=asked), player._replace(**new, added=asked)]
    return [*rows, *agreed.added]
