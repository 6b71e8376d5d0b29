"""The file of a reform for a pool: whether it can come into force there, and what the rules are then."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from banzuke.core.adjustments import read_map
from banzuke.core.calendar import Window
from banzuke.core.derived_books import reform_book
from banzuke.core.facts import Adjustment
from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.core.registry import BookError
from banzuke.core.rulebook import RuleBook
from banzuke.database.book_reader import files_of, rules_of
from banzuke.database.models import Pool
from banzuke.ledger.pool_rules import EditionInForce
from banzuke.ledger.pool_rules import Pool as Rules
from banzuke.ledger.reforms import Reform, Signatures, read_reform, signed_text
from banzuke.office.administration.pools import Edition, editions
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.lists.adjustments import faults_of, free_id

#: What the file is called in faults.
FILE = "reform.toml"
#: The file has so many characters at most: it is read where pages are served, the worst in 0.2 s.
MOST = 20_000


class RulesInForce(NamedTuple):
    """The pool's editions with a reform's numbers, and the texts of the files that they name anew."""

    editions: list[Edition]
    files: Mapping[str, str]


def hash_of(text: str) -> str:
    """The SHA-256 of a reform's file, which signatures are for."""
    return sha256(text.encode()).hexdigest()


def read_text(text: str) -> Reform:
    """The reform of a text. Raises RefusedError for what is none."""
    faults: list[Fault] = []
    reform = read_reform(text.encode(), faults, FILE)
    refuse_any(faults)
    if reform is None:  # it would have had faults
        raise RefusedError([])
    return reform


def reform_for(pool: Pool, text: str, today: date) -> Reform:
    """The reform of a text, which can come into force in the pool. Raises RefusedError for what cannot."""
    reform = read_text(text)
    refuse_any(list(_faults(pool, reform, today)))
    return reform


def _faults(pool: Pool, reform: Reform, today: date) -> list[Fault]:
    rules, start = rules_of(pool), reform.start
    if reform.signed is not None:
        return [fault(FILE, 0, "signed", "reform-signed-here")]
    if start < today:
        return [fault(FILE, 0, "from", "reform-over", start=start, today=today)]
    edition = rules.find_edition(start)
    if edition is None:
        return [fault(FILE, 0, "from", "no-edition", day=start, first=rules.editions[0].start)]
    of_numbers = _faults_of_numbers(edition, reform) or _faults_of_later(rules, edition, reform)
    return of_numbers + _faults_of_adjustment(pool, rules, reform)


def _faults_of_numbers(edition: EditionInForce, reform: Reform) -> list[Fault]:
    """Numbers that the book of that day does not have, or cannot be built with."""
    book = edition.book
    own = {f"{book.prefix.lower()}.{name}" for name in reform.changes_of(book) if name in book.parameters}
    others = sorted({".".join(key) for key in reform.changes} - own)
    if others:
        facts = {"start": reform.start, "book": book.name, "numbers": ", ".join(others)}
        return [fault(FILE, 0, "set", "reform-book", **facts)]
    try:
        reformed_book(edition, reform)
    except (ArithmeticError, BookError, LookupError, TypeError, ValueError) as error:
        return [fault(FILE, 0, "set", "reform-broken", book=book.name, error=error)]
    return []


def _faults_of_later(rules: Rules, edition: EditionInForce, reform: Reform) -> list[Fault]:
    """A later edition of the same book: its numbers are its own, and the reform's would be lost in it."""
    editions_of_book = [each for each in rules.editions if each.book.name == edition.book.name]
    later = next((each.start for each in editions_of_book if each.start > reform.start), None)
    if later is None or not reform.changes:
        return []
    return [fault(FILE, 0, "from", "reform-early", book=edition.book.name, start=reform.start, later=later)]


def _faults_of_adjustment(pool: Pool, rules: Rules, reform: Reform) -> list[Fault]:
    if reform.adjustment is None:
        return []
    name, given = list_of(rules, reform), reform.adjustment.list
    if not name:
        return [fault(FILE, 0, "adjustment: list", "reform-list")]
    adjustment = adjustment_of(pool, reform, reform.name)
    found = faults_of(pool, adjustment)
    if not found and (same := _same_adjustment(pool, adjustment)) is not None:
        return [
            fault(FILE, 0, "adjustment", "reform-adjusts-twice", list=name, adjustment=same.adjustment_id)
        ]
    if not found and given and not rules.schedule.is_by_event:
        closes = rules.schedule.window_named(given).closes
        if closes < reform.start:
            facts = {"list": given, "closes": closes, "start": reform.start}
            return [fault(FILE, 0, "adjustment: list", "reform-list-early", **facts)]
    return [each._replace(file=FILE, column=f"adjustment: {each.column}") for each in found]


def _same_adjustment(pool: Pool, adjustment: Adjustment) -> Adjustment | None:
    """One that stands with the same map, of the same list, and of a speed in common; blank is every speed."""
    standing = standing_rows(pool, Adjustment).filter(list=adjustment.list)
    of_speed = standing.filter(speed__in=("", adjustment.speed)) if adjustment.speed else standing
    nodes = read_map(adjustment.points)
    return next((record_of(row, Adjustment) for row in of_speed if read_map(row.points) == nodes), None)


def list_of(rules: Rules, reform: Reform) -> str:
    """The list whose ratings the reform adjusts; blank where none is named and every event makes one."""
    if reform.adjustment is None or reform.adjustment.list or rules.schedule.is_by_event:
        return reform.adjustment.list if reform.adjustment else ""
    return rules.schedule.window_on(reform.start).name


def adjustment_of(pool: Pool, reform: Reform, decision: str) -> Adjustment:
    """The adjustment by which the reform comes into force. Raises ValueError for a reform without one."""
    if reform.adjustment is None:
        raise ValueError(reform.name)
    points, speed, _ = reform.adjustment
    return Adjustment(free_id(pool), list_of(rules_of(pool), reform), points, decision, speed)


# Numbers


def _numbers(edition: EditionInForce, reform: Reform) -> dict[str, Any]:
    """The reform's numbers of the edition's book, beside those of the reform that is in force."""
    earlier = edition.reform.changes_of(edition.book) if edition.reform else {}
    return {**earlier, **reform.changes_of(edition.book)}


def reformed_book(edition: EditionInForce, reform: Reform) -> RuleBook:
    """The edition's book at the reform's numbers. Raises an error of `reform_book`."""
    numbers = _numbers(edition, reform)
    return reform_book(edition.book, numbers) if reform.changes_of(edition.book) else edition.book


def free_file(pool: Pool, number: int) -> str:
    """A name that no file of the pool's rules had; an imported ledger may have brought `reform-1.toml`."""
    taken, name, again = files_of(pool), f"reform-{number}.toml", 1
    while name in taken:
        again += 1
        name = f"reform-{number}-{again}.toml"
    return name


def rules_in_force(pool: Pool, reform: Reform, signed: Signatures, file: str) -> RulesInForce:
    """The pool's editions once the reform's numbers are in force, as a file of that name says.

    The edition of the reform's first day goes on from that day with its numbers; later ones, which are of
    other books (`reform_for` sees to that), stay.
    """
    edition = rules_of(pool).edition_on(reform.start)
    prefix = edition.book.prefix.lower()
    numbers = {f"{prefix}.{name}": value for name, value in _numbers(edition, reform).items()}
    standing = editions(pool)
    last = [each for each in standing if each.start <= reform.start][-1]
    kept = [each for each in standing if each.start != reform.start]
    made = sorted([*kept, last._replace(start=reform.start, reform=file)], key=lambda each: each.start)
    return RulesInForce(made, {file: signed_text(reform.name, reform.start, numbers, signed)})


def tried_from(rules: Rules, reform: Reform, first: Window) -> Rules:
    """The rules as if the reform's numbers had been in force from that list on.

    Editions of other books than that of the reform's first day stay as they are.
    """
    own, begun = rules.edition_on(reform.start).book.name, rules.schedule.edition_of(first)
    found: list[EditionInForce] = []
    for edition in rules.editions:
        is_own = edition.book.name == own
        if is_own and (edition is begun or edition.start > first.closes):
            book = reformed_book(edition, reform)
            if edition.start < first.closes:
                found.append(edition)
            found.append(edition._replace(book=book, start=max(edition.start, first.closes)))
        else:
            found.append(edition)
    return replace(rules, editions=tuple(found))
