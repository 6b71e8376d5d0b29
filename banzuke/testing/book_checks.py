"""What every rule book must hold, each thing as a function that gives sentences of what does not.

The sentences are for who writes the book: they name the clause, the number, the list or the line.
"""

import random
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from datetime import date, timedelta
from functools import cache
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from traceback import extract_tb
from typing import NamedTuple, TypeVar

from banzuke.core.calendar import EachEvent
from banzuke.core.clause_register import Answer
from banzuke.core.registry import faults_of
from banzuke.core.rulebook import ChessBook, GoBook, RuleBook
from banzuke.engine import go_history, history
from banzuke.engine.rating_run import rate_ledger
from banzuke.engine.result_rows import change_rows, go_change_rows, go_standing_row, list_rows
from banzuke.ledger.folder import ChessLedger, Ledger
from banzuke.testing.public_ledger_check import answers_in_order, public_rows
from banzuke.testing.random_ledgers import chess_ledger, go_ledger
from banzuke.words import LANGUAGES, book_words

Row = TypeVar("Row")

#: So many sentences are given of one thing that does not hold.
MOST = 10


class Result(NamedTuple):
    """A check by its name, and what does not hold (empty: all is well)."""

    check: str
    wrong: list[str]


def results(book: RuleBook, ledgers: int = 20) -> Iterator[Result]:
    """Every check that concerns the book, one after another; the last ones on so many made-up ledgers."""
    for name, check in CHECKS.items():
        yield Result(name, list(islice(_with_failure(check(book)), MOST)))
    made = cache(lambda seed: _ledger(book, seed))
    for name, check_on in ON_LEDGERS.items():
        found = (wrong for seed in range(ledgers) for wrong in check_on(book, made(seed)))
        yield Result(name, list(islice(_with_failure(found), MOST)))


def _with_failure(found: Iterator[str]) -> Iterator[str]:
    """What a check finds; where the book raises something, that is the last."""
    try:
        yield from found
    except (Exception, SystemExit) as error:  # noqa: BLE001 - whatever the book raises is a finding
        place = extract_tb(error.__traceback__)[-1]
        yield f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"


def _ledger(book: RuleBook, seed: int) -> Ledger:
    """A made-up ledger of the book's kind. Raises TypeError for a book of no kind."""
    if isinstance(book, ChessBook):
        return chess_ledger(book, seed)
    if isinstance(book, GoBook):
        return go_ledger(book, seed)
    raise TypeError(book.name)


def field_types(book: RuleBook) -> Iterator[str]:
    """Every field is there and of its kind; the same is asked when a book is registered."""
    yield from faults_of(book)


def words(book: RuleBook) -> Iterator[str]:
    """Every clause and reading has words in both languages, in the order of the register."""
    try:
        tomllib.loads(book.words.read_text("utf-8"))
    except (OSError, ValueError) as error:
        yield f"{book.words.name}: {error}"
        return
    found = book_words(book)
    yield from _both_languages("title", found.get("title", {}))
    clauses = found.get("clauses", {})
    if list(clauses) != list(book.register):
        differing = sorted(set(clauses) ^ set(book.register)) or ["the order"]
        yield f"clauses with words and clauses of the register differ: {', '.join(differing)}"
    for clause, text in clauses.items():
        yield from _both_languages(clause, text)
    for key, reading in found.get("readings", {}).items():
        if reading.get("clause") not in book.register:
            yield f"reading {key}: its clause {reading.get('clause')!r} is not in the register"
        for part in ("question", "answer"):
            yield from _both_languages(f"reading {key}, {part}", reading.get(part, {}))
    settings = sorted(field.name for field in fields(book.settings))
    named = sorted(r["setting"] for r in found.get("readings", {}).values() if "setting" in r)
    if settings != named:
        yield f"settings {settings} are explained by the readings of {named}: each needs one reading"


def _both_languages(what: str, text: Mapping[str, str]) -> Iterator[str]:
    for lang in LANGUAGES:
        if not str(text.get(lang, "")).strip():
            yield f"{what}: no words in the language {lang}"


def register(book: RuleBook) -> Iterator[str]:
    """Every clause is answered by a function with a docstring or by somebody; citations are clauses."""
    for clause, answer in book.register.items():
        if clause.split()[0] != book.prefix:
            yield f"{clause}: a clause of this book begins with {book.prefix}"
        if not isinstance(answer, Answer):
            if not answer:
                yield f"{clause}: nobody answers it"
            for function in answer:
                if not function.__doc__:
                    yield f"{clause}: {function.__name__} has no docstring"
    if isinstance(book, ChessBook):
        for name, clause in {**book.verdicts, **book.cites}.items():
            if clause not in book.register:
                yield f"{name} cites {clause}, which is not in the register"


def parameters(book: RuleBook) -> Iterator[str]:
    """Every number has a clause of the register, and is called something in both languages."""
    for parameter in book.parameters.values():
        if parameter.clause not in book.register:
            yield f"{parameter.name}: its clause {parameter.clause!r} is not in the register"
        yield from _both_languages(parameter.name, {"en": parameter.en, "ja": parameter.ja})


def examples(book: RuleBook) -> Iterator[str]:
    """The printed examples give what they must; there is one at least."""
    if not book.examples:
        yield "there is no worked example"
    for worked in book.examples:
        if worked.clause not in book.register:
            yield f"{worked.clause} of a worked example is not in the register"
        gives = worked.run()
        if not _is_text(gives):
            yield f"{worked.clause} {dict(worked.facts)}: run gives {gives!r}, which is no text"
        elif gives != worked.must_give:
            yield f"{worked.clause} {dict(worked.facts)}: {gives} where {worked.must_give} is printed"


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def calendar(book: RuleBook) -> Iterator[str]:
    """Windows follow each other without a gap, and are found by their names."""
    windows = book.calendar
    if isinstance(windows, EachEvent):
        return
    day, dice = date(2020, 1, 1), random.Random(0)
    for _ in range(500):
        day += timedelta(days=dice.randrange(9))
        window = windows.window_on(day)
        if not window.opens <= day <= window.closes:
            yield f"{day} is said to lie in the window {window.name}, {window.opens} to {window.closes}"
        elif windows.window_named(window.name) != window:
            yield f"the window named {window.name} is not the one that {day} lies in"
        elif windows.window_on(window.closes + timedelta(days=1)).opens != window.closes + timedelta(days=1):
            yield f"there is a gap after the window {window.name}, which closes on {window.closes}"


def rows(ledger: Ledger) -> list[tuple[object, ...]]:
    """Every row that rating the ledger writes: lists (of Go: standings) and changes."""
    if isinstance(ledger, ChessLedger):
        made: list[tuple[object, ...]] = []
        for rated in history.history(ledger, history.list_names(ledger, None)):
            made += [*list_rows(rated), *change_rows(rated)]
        return made
    run = go_history.opening(ledger)
    changes = [row for rated in go_history.history(ledger, run, None) for row in go_change_rows(rated)]
    return [*changes, *(go_standing_row(player, run.states[player]) for player in sorted(run.states))]


def same_again(_book: RuleBook, ledger: Ledger) -> Iterator[str]:
    """Rating twice gives the same."""
    yield from _difference("rated a second time", rows(ledger), rows(ledger))


def any_order(_book: RuleBook, ledger: Ledger) -> Iterator[str]:
    """The order in which rows were reported makes no difference."""
    dice = random.Random(1)
    yield from _difference("with its rows in another order", rows(ledger), rows(_shuffled(ledger, dice)))


def _shuffled(ledger: Ledger, dice: random.Random) -> Ledger:
    def mixed(values: list[Row]) -> list[Row]:
        return dice.sample(values, len(values))

    if isinstance(ledger, ChessLedger):
        games = {event: mixed(ledger.games[event]) for event in mixed(list(ledger.games))}
        return replace(
            ledger,
            players=mixed(ledger.players),
            memberships=mixed(ledger.memberships),
            events=mixed(ledger.events),
            games=games,
            standings=mixed(ledger.standings),
        )
    return replace(ledger, players=mixed(ledger.players), games=mixed(ledger.games))


def nobody_played(_book: RuleBook, ledger: Ledger) -> Iterator[str]:
    """An event in which nobody played moves nobody."""
    if not isinstance(ledger, ChessLedger) or not ledger.events:
        return
    last = max(ledger.events, key=lambda event: (event.ends, event.event_id))
    empty = replace(last, event_id="ZZZ")
    with_it = replace(ledger, events=[*ledger.events, empty], games={**ledger.games, "ZZZ": []})
    names = history.list_names(ledger, None)
    before = [_ratings(rated) for rated in history.history(ledger, names)]
    after = [
        _ratings(rated)
        for rated in history.history(with_it, history.list_names(with_it, None))
        if rated.batch.name in names
    ]
    yield from _difference("with an event that nobody played", before, after)


def _ratings(rated: history.RatedList) -> tuple[object, ...]:
    return rated.batch.name, rated.outcome.standings.ratings


def lines_add_up(_book: RuleBook, ledger: Ledger) -> Iterator[str]:
    """The changes of a player's lines add up to the sum that the rating moved by; both sides have a line.

    Lines of a player without a rating move nothing. A player who was rated in the list in force, and has lost
    the rating since, has changes but no rating that they could move.
    """
    if not isinstance(ledger, ChessLedger):
        return
    for rated in history.history(ledger, history.list_names(ledger, None)):
        totals: dict[tuple[str, str], int] = defaultdict(int)
        rated_sides: set[tuple[str, str]] = set()
        for lines in rated.outcome.events:
            games = len(ledger.games[lines.event.event_id])
            if len(lines.lines) != 2 * games:
                yield f"list {rated.batch.name}: {len(lines.lines)} lines of {games} games"
            for line in lines.lines:
                totals[lines.speed, line.player] += line.change or 0
                if line.own is not None:
                    rated_sides.add((lines.speed, line.player))
        for speed, of_speed in rated.outcome.calculations.items():
            for player, done in of_speed.items():
                has_lost_rating = done.entered.value is None and (speed, player) in rated_sides
                if not has_lost_rating and done.total != totals[speed, player]:
                    where = f"list {rated.batch.name}, {player} {speed}".rstrip()
                    added = totals[speed, player]
                    yield f"{where}: lines add up to {added}, the calculation says {done.total}"


def twin_is_equal(book: RuleBook, ledger: Ledger) -> Iterator[str]:
    """The fast twin, where there is one and its packages are installed, writes the same bytes."""
    if book.twin is None or find_spec("numba") is None:
        return
    from banzuke.engine.columnar import chess_reader, go_reader
    from banzuke.engine.columnar.columnar_run import rate_columnar

    reader = chess_reader if isinstance(ledger, ChessLedger) else go_reader
    with TemporaryDirectory() as scratch:
        readable, columnar = Path(scratch, "readable"), Path(scratch, "columnar")
        rate_ledger(ledger, readable)
        rate_columnar(reader.columns_of(ledger), columnar)
        for file in columnar.iterdir():
            one, other = (folder.joinpath(file.name).read_text("utf-8") for folder in (readable, columnar))
            yield from _difference(f"{file.name} by its fast twin", one.splitlines(), other.splitlines())


def calculator_agrees(book: RuleBook, ledger: Ledger) -> Iterator[str]:
    """The calculator gives the change of every rated line, asked with its ratings, score and K.

    Where a book rates an event as a whole, a game by itself does not have the change of the line.
    """
    if not isinstance(book, ChessBook) or not isinstance(ledger, ChessLedger) or book.calculator.event:
        return
    for rated in history.history(ledger, history.list_names(ledger, None)):
        for lines in rated.outcome.events:
            for line in lines.lines:
                if line.change is None or line.own is None or line.score is None:
                    continue
                k = line.k.value if line.k else 0
                found = book.calculator.change(line.own, line.opponent_rating, line.score, k)
                if found.hundredths != line.change and found.difference == line.difference:
                    yield (
                        f"{line.own} against {line.opponent_rating}, {line.score} half points, K {k}: "
                        f"the calculator says {found.hundredths}, the list {line.change}"
                    )


def public_ledger(book: RuleBook, ledger: Ledger) -> Iterator[str]:
    """The public ledger gives the same: the book asks no private fact but those that it says."""
    yield from answers_in_order(book, ledger)
    yield from _difference("from the public ledger", rows(ledger), rows(public_rows(ledger)))


def _difference(what: str, one: Sequence[object], other: Sequence[object]) -> Iterator[str]:
    """The first row that differs."""
    if one == other:
        return
    at = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
    if at is None:
        yield f"{what}: {len(other)} rows where there were {len(one)}"
    else:
        yield f"{what}: {other[at]} where there was {one[at]}"


#: What is read from the book alone, by the name under which `banzuke rules test` shows it.
CHECKS: Mapping[str, Callable[[RuleBook], Iterator[str]]] = {
    "fields": field_types,
    "words": words,
    "register": register,
    "parameters": parameters,
    "examples": examples,
    "calendar": calendar,
}

#: What is tried on made-up ledgers.
ON_LEDGERS: Mapping[str, Callable[[RuleBook, Ledger], Iterator[str]]] = {
    "same-again": same_again,
    "any-order": any_order,
    "nobody-played": nobody_played,
    "lines-add-up": lines_add_up,
    "twin": twin_is_equal,
    "calculator": calculator_agrees,
    "public-ledger": public_ledger,
}
