"""Variants of a pool's rules: another book for the whole history, other settings, other numbers, a reform.

A variant keeps the ledger: who played whom, and when. It takes a rule book at other numbers from
`core.derived_books`, built anew, so that its calendar has them, too.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from datetime import date
from itertools import chain, product
from math import prod
from typing import Any

from banzuke.core.derived_books import reform_book
from banzuke.core.facts import Event
from banzuke.core.fault import Fault, RefusedError, fault, refuse_any
from banzuke.core.go_facts import NO_ZONE, Zone
from banzuke.core.numbers import numbers_in, parameters_with
from banzuke.core.registry import BOOKS, BookError
from banzuke.core.rulebook import ChessBook, GoBook, RuleBook
from banzuke.lab import overrides
from banzuke.lab.overrides import Override, Value
from banzuke.ledger.crossed_tables import dated_rows, has_early_events
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.ledger.reforms import Reform

#: The variant that rates as pool.toml says, and that the others are compared with.
AS_IT_IS = "pool"
#: A book that rates a whole history is in force from here on: before any ledger begins.
LONG_AGO = date(1000, 1, 1)


@dataclass(frozen=True, slots=True)
class Variant:
    """How a history is rated: by one book from its first day (blank: as the pool is), with overrides.

    `reform` is the name of the reform that the overrides are from; blank where they are from `--set`.
    """

    book: str = ""
    overrides: tuple[Override, ...] = ()
    reform: str = ""

    @property
    def name(self) -> str:
        """What it is called in tables: `BOOK k_normal=30`; the book, too, where values differ."""
        if self.reform:
            return f"{self.book or AS_IT_IS} {self.reform}"
        names = [name for name, _ in {each[1:] for each in self.overrides}]
        shown = [
            f"{each.book}:{each}" if names.count(each.name) > 1 else f"{each}" for each in self.overrides
        ]
        return " ".join([self.book or AS_IT_IS, *dict.fromkeys(shown)])

    @property
    def adjustment(self) -> Value:
        """The map of the adjustment that is tried, blank for none."""
        return next((each.value for each in self.overrides if each.name == overrides.ADJUSTMENT), "")

    def values_of(self, book: RuleBook) -> dict[str, Value]:
        """What it overrides of a book, by name."""
        return {each.name: each.value for each in self.overrides if each.book == book.name}


def variants_of(
    pool: Pool, books: Sequence[str], settings: Sequence[str], reforms: Sequence[Reform] = ()
) -> list[Variant]:
    """The variants that `--books`, `--set` and `--reform` ask for, the pool as it is before them.

    After it comes each book, then each with every combination of settings, then each with every reform. A
    setting is `[BOOK:]NAME=VALUE`, a value a whole number, `true`, `false`, or a range `10..40:5`. Without
    books the pool's own are changed. A reform holds for the whole history, whatever day it begins on.

    Raises RefusedError for what is no book of the pool's series, has no fast twin, is no name of a book, no
    value, set twice, or gives numbers that a book cannot be built with.
    """
    _refuse_others(books, [name for name, book in BOOKS.items() if can_try(pool, book)])
    subjects = {name: [name] for name in books}
    subjects = subjects or {"": list(dict.fromkeys(edition.book.name for edition in pool.editions))}
    concerned = [name for names in subjects.values() for name in names]
    faults: list[Fault] = []
    choices = [overrides.choices_of(text, concerned, pool, faults) for text in settings]
    refuse_any(faults + overrides.repetitions(settings, choices))
    found = [Variant(), *(Variant(name) for name in subjects if name)]
    chosen = {name: _choices_for(choices, own) for name, own in subjects.items()}
    count = len(found) + sum(prod(map(len, values)) for values in chosen.values() if values)
    if count > overrides.MOST_VARIANTS:
        raise RefusedError([fault("--set", 0, "", "lab-many", count=count, most=overrides.MOST_VARIANTS)])
    for name, values in chosen.items():
        found += [Variant(name, tuple(chain(*each))) for each in product(*values) if each]
    found += _reform_variants(subjects, reforms)
    for variant in found:
        pool_of(pool, variant)
    return list(dict.fromkeys(found))


def variants_alone(
    books: Sequence[str], settings: Sequence[str] = (), reforms: Sequence[Reform] = ()
) -> list[Variant]:
    """The books as their documents have them, then with what `--set` and `--reform` ask for; without a pool.

    A setting without a book's name is for every book. Raises RefusedError as `variants_of` does, where there
    is no book, and where books of chess and of Go are named together.
    """
    known = [name for name, book in BOOKS.items() if book.twin or not isinstance(book, GoBook)]
    if not books:
        raise RefusedError([fault("--books", 0, "", "lab-no-book", known=", ".join(known))])
    _refuse_others(books, known)
    go = [name for name in books if isinstance(BOOKS[name], GoBook)]
    if go and len(set(books)) > 1:
        raise RefusedError([fault("--books", 0, go[0], "lab-go-alone")])
    book_of = {text: overrides.split_setting(text)[0] for text in settings}
    others = [text for text in settings if book_of[text] not in ("", *books)]
    refuse_any([fault("--set", 0, text, "lab-constant", known=", ".join(books)) for text in others])
    found = []
    for series in dict.fromkeys(BOOKS[name].series for name in books):
        own = [name for name in dict.fromkeys(books) if BOOKS[name].series == series]
        pool = Pool("", tuple(edition_of(BOOKS[name]) for name in own))
        asked = [text for text in settings if book_of[text] in ("", *own)]
        concerning = [reform for reform in reforms if any(reform.changes_of(BOOKS[name]) for name in own)]
        found += [variant for variant in variants_of(pool, own, asked, concerning) if variant.book]
    return found


def as_in_pool(variants: Sequence[Variant], pool: Pool) -> list[Variant]:
    """The variants with the settings, and the numbers of a reform, that the pool's last edition has."""
    edition = pool.editions[-1]
    book, plain = edition.book, edition.book.settings()
    own = {each.name: getattr(edition.settings, each.name) for each in fields(plain)}
    own = {name: value for name, value in own.items() if value != getattr(plain, name)} | _in_force(edition)
    overrides = [Override(book.name, name, _as_tuples(value)) for name, value in own.items()]
    found = []
    for each in variants:
        others = [one for one in overrides if one.book == each.book and one.name not in each.values_of(book)]
        found.append(replace(each, overrides=(*others, *each.overrides)))
    return found


def can_try(pool: Pool, book: RuleBook) -> bool:
    """Whether the book can be tried on the pool: of chess any (`crossed_tables`), of Go its own."""
    if isinstance(book, GoBook) or pool.is_go:
        return pool.can_be_rated_by(book) and book.twin is not None
    return True


def is_crossed(pool: Pool, variant: Variant) -> bool:
    """Whether the variant's book asks of a ledger what the pool's own does not."""
    return bool(variant.book) and not pool.can_be_rated_by(BOOKS[variant.book])


def other_books(pool: Pool, events: Sequence[Event]) -> list[str]:
    """The books that can rate the pool's history otherwise than it is rated, nothing being assumed."""
    known = [name for name, book in BOOKS.items() if pool.can_be_rated_by(book) and book.twin]
    books = [name for name in known if not has_early_events(events, BOOKS[name])]
    return books if len(pool.editions) > 1 else [name for name in books if name != pool.editions[0].book.name]


def _refuse_others(books: Sequence[str], known: Sequence[str]) -> None:
    """Refuse books that are none of those."""
    others = [name for name in books if name not in known]
    refuse_any([fault("--books", 0, name, "lab-book", known=", ".join(known)) for name in others])


def _choices_for(
    choices: Sequence[Sequence[Sequence[Override]]], books: Sequence[str]
) -> list[list[list[Override]]]:
    """Of the values asked for, those that concern these books."""
    concerned = ([[each for each in same if each.book in books] for same in values] for values in choices)
    return [own for values in concerned if (own := [same for same in values if same])]


def _reform_variants(subjects: Mapping[str, Sequence[str]], reforms: Sequence[Reform]) -> list[Variant]:
    """A variant for each reform and each subject of which it changes a number or adjusts the ratings."""
    faults, found, names = list[Fault](), list[Variant](), set[str]()
    prefixes = dict.fromkeys(BOOKS[book].prefix.lower() for own in subjects.values() for book in own)
    for reform in reforms:
        if reform.name in names:
            faults.append(fault(reform.source, 0, "name", "lab-reform-twice", name=reform.name))
        names.add(reform.name)
        changes = {
            name: _overrides(reform, [BOOKS[book] for book in own], faults) for name, own in subjects.items()
        }
        if not any(changes.values()):
            faults.append(fault(reform.source, 0, "set", "lab-reform-none", known=", ".join(prefixes)))
        found += [Variant(name, tuple(own), reform.name) for name, own in changes.items() if own]
    refuse_any(faults)
    return found


def _overrides(reform: Reform, books: Sequence[RuleBook], faults: list[Fault]) -> list[Override]:
    """What a reform changes of books; faults for numbers beyond their bounds."""
    found = []
    for book in books:
        changes = {name: value for name, value in reform.changes_of(book).items() if name in book.parameters}
        for name, value in changes.items():
            found.append(Override(book.name, name, _as_tuples(value)))
            for number in numbers_in(replace(book.parameters[name], value=value)):
                key = f"set: {book.prefix.lower()}.{number.name}"
                faults += overrides.out_of_bounds(reform.source, key, number, [number.value])
        if reform.adjustment and isinstance(book, ChessBook):
            points, speed, _ = reform.adjustment
            found.append(Override(book.name, overrides.ADJUSTMENT, (points, speed) if speed else points))
    return found


def _as_tuples(value: Any) -> Any:
    return tuple(_as_tuples(each) for each in value) if isinstance(value, list) else value


def pool_of(pool: Pool, variant: Variant) -> Pool:
    """The pool with the editions, settings and numbers of a variant.

    Raises RefusedError for numbers that a book cannot be built with.
    """
    editions = pool.editions
    if variant.book:
        editions = (edition_of(BOOKS[variant.book], overrides.settings_of(pool, BOOKS[variant.book])),)
    if is_crossed(pool, variant):
        with suppress(RefusedError):  # a book that has none of these numbers by itself stays as it is
            changed = [_change_edition(each, variant, is_undated=True) for each in editions]
            return Pool(pool.name, tuple(changed))
    return Pool(pool.name, tuple(_change_edition(edition, variant) for edition in editions))


def edition_of(book: RuleBook, settings: Any = None) -> EditionInForce:
    """A book in force for a whole history, by its own settings if no others are given."""
    zone = book.default_zone() if isinstance(book, GoBook) else NO_ZONE
    return EditionInForce(book, LONG_AGO, settings or book.settings(), "", zone)


def edition_of_variant(variant: Variant) -> EditionInForce:
    """The book of a variant in force by itself, as in no pool, with the variant's settings and numbers."""
    (edition,) = pool_of(Pool("", (edition_of(BOOKS[variant.book]),)), variant).editions
    return edition


def _change_edition(edition: EditionInForce, variant: Variant, *, is_undated: bool = False) -> EditionInForce:
    """The edition with those of the overrides that are its book's.

    `is_undated`: the first of its numbers that begin on days hold for the days before, too.
    """
    values = variant.values_of(edition.book)
    known = {each.name for each in fields(edition.settings)}
    settings = replace(edition.settings, **{name: v for name, v in values.items() if name in known})
    others = known | overrides.AS_PRINTED.keys()
    numbers = {name: v for name, v in values.items() if name not in others}
    changes = parameters_with(edition.book, numbers)
    if is_undated:
        for name, rows in dated_rows(edition.book.parameters).items():
            (_, *first), *later = changes.get(name, rows)
            changes[name] = [[LONG_AGO, *first], *later]
    book = _rebuild_book(edition, changes, variant) if changes else edition.book
    zone = _zone(edition, book)
    return edition._replace(book=overrides.book_with(book, values), settings=settings, zone=zone)


def _rebuild_book(edition: EditionInForce, changes: dict[str, Any], variant: Variant) -> RuleBook:
    """The edition's book at other numbers, beside those of the reform that is in force."""
    try:
        return reform_book(edition.book, _in_force(edition) | changes)
    except (ArithmeticError, BookError, LookupError, TypeError, ValueError) as error:
        facts = {"book": edition.book.name, "error": error}
        raise RefusedError([fault(variant.name, 0, "", "reform-broken", **facts)]) from error


def _in_force(edition: EditionInForce) -> dict[str, Any]:
    """What the reform that is in force changes of the edition's book."""
    return edition.reform.changes_of(edition.book) if edition.reform else {}


def _zone(edition: EditionInForce, book: RuleBook) -> Zone:
    """The border-zone table: the book's own where the numbers change it, else the pool's."""
    both = edition.book, book
    plain, own = (each.default_zone() if isinstance(each, GoBook) else NO_ZONE for each in both)
    return edition.zone if own == plain else own
