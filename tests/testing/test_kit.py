"""The kit for rule books: every installed book holds what it asks, and each check can fail."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import count

import pytest
from properties import examples

from banzuke.core.calendar import ByReport
from banzuke.core.parameters import Parameters
from banzuke.core.private_facts import NOTHING_PRIVATE, DayClause
from banzuke.core.rating import UNRATED
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.engine import history
from banzuke.testing import BookFailed, check, results
from banzuke.testing.book_checks import CHECKS, MOST, ON_LEDGERS
from banzuke.testing.random_ledgers import chess_ledger, go_ledger

BOOK = BOOKS["jcf-2024"]
CHESS = [name for name, book in BOOKS.items() if isinstance(book, ChessBook)]


@pytest.mark.slow
@pytest.mark.parametrize("name", BOOKS)
def test_an_installed_book_holds_everything(name):
    check(BOOKS[name], examples(60))


def changed_words(tmp_path, old, new):
    """The book with one change of its words."""
    before = BOOK.words.read_text("utf-8")
    assert before.count(old) == 1
    (tmp_path / "words.toml").write_text(before.replace(old, new), "utf-8")
    return replace(BOOK, words=tmp_path / "words.toml")


def changed_parameter(name, **changes):
    parameters = {
        key: replace(each, **changes) if key == name else each for key, each in BOOK.parameters.items()
    }
    return replace(BOOK, parameters=Parameters(BOOK.parameters.source, parameters))


def changed_example(number, **changes):
    examples = list(BOOK.examples)
    examples[number] = examples[number]._replace(**changes)
    return replace(BOOK, examples=tuple(examples))


def has_no_docstring():
    pass


@dataclass(frozen=True)
class ShortFebruary:
    """As the book's own calendar; but the window that ends in February closes a day early."""

    column: str = "reported"
    correction_days: int | None = 90
    own = ByReport(20, 90)

    def window_on(self, day):
        return self._short(self.own.window_on(day))

    def window_named(self, name):
        return self._short(self.own.window_named(name))

    def _short(self, window):
        return window._replace(closes=window.closes - timedelta(days=window.closes.month == 2))


class OtherNames(ByReport):
    """Its lists are not found again by their names."""

    def window_named(self, name):
        return super().window_named(name)._replace(published=date(2000, 1, 1))


class TestOfTheBookAlone:
    def wrong(self, name, book):
        return "\n".join(CHECKS[name](book))

    def test_fields(self):
        fees = replace(BOOKS["ncs-2022"].fees, amount="300")
        assert self.wrong("fields", replace(BOOKS["ncs-2022"], fees=fees)) == (
            "fees.amount must be a whole number from 0 on, not '300'"
        )

    def test_words(self, tmp_path):
        without = changed_words(tmp_path, '[clauses."JCF 5(2)"]', '[clauses."JCF 5(22)"]')
        assert self.wrong("words", without) == (
            "clauses with words and clauses of the register differ: JCF 5(2), JCF 5(22)"
        )

    def test_words_in_one_language(self, tmp_path):
        title = '"日本チェス連盟レーティング規程（2024年10月1日施行版）"'
        assert self.wrong("words", changed_words(tmp_path, title, '""')) == (
            "title: no words in the language ja"
        )

    def test_words_of_a_reading(self, tmp_path):
        of_nobody = changed_words(
            tmp_path, '[readings.two-years]\nclause = "JCF 6(3)"', '[readings.two-years]\nclause = "JCF 99"'
        )
        assert (
            self.wrong("words", of_nobody) == "reading two-years: its clause 'JCF 99' is not in the register"
        )

    def test_words_of_settings(self):
        assert "each needs one reading" in self.wrong(
            "words", replace(BOOK, settings=BOOKS["ncs-2022"].settings)
        )

    @pytest.mark.parametrize(
        ("register", "sentence"),
        [
            ({"JCF 5(2)": ()}, "JCF 5(2): nobody answers it"),
            ({"JCF 5(2)": (has_no_docstring,)}, "JCF 5(2): has_no_docstring has no docstring"),
            ({"FIDE 5(2)": BOOK.register["JCF 5(2)"]}, "FIDE 5(2): a clause of this book begins with JCF"),
        ],
    )
    def test_register(self, register, sentence):
        assert self.wrong("register", replace(BOOK, register={**BOOK.register, **register})) == sentence

    def test_register_lacks_what_is_cited(self):
        cites = {**BOOK.cites, "sum": "JCF 99"}
        assert self.wrong("register", replace(BOOK, cites=cites)) == (
            "sum cites JCF 99, which is not in the register"
        )

    @pytest.mark.parametrize(
        ("change", "sentence"),
        [
            ({"ja": " "}, "floor: no words in the language ja"),
            ({"clause": "JCF 99"}, "floor: its clause 'JCF 99' is not in the register"),
        ],
    )
    def test_parameters(self, change, sentence):
        assert self.wrong("parameters", changed_parameter("floor", **change)) == sentence

    def test_examples(self):
        wrong = self.wrong("examples", changed_example(0, must_give="+15.3"))
        assert wrong.startswith("JCF 5(1) {'own': 1600,")
        assert wrong.endswith("+15.2 where +15.3 is printed")
        assert "JCF 99" in self.wrong("examples", changed_example(0, clause="JCF 99"))
        wrong = self.wrong("examples", changed_example(0, run=lambda: 15.2))
        assert wrong.endswith("run gives 15.2, which is no text")
        assert self.wrong("examples", replace(BOOK, examples=())) == "there is no worked example"

    def test_calendar_with_a_gap(self):
        wrong = self.wrong("calendar", replace(BOOK, calendar=ShortFebruary()))
        assert "there is a gap after the window 2020-03, which closes on 2020-02-19" in wrong

    def test_calendar_of_lists_that_are_not_found(self):
        wrong = self.wrong("calendar", replace(BOOK, calendar=OtherNames(20, 90)))
        assert "the window named 2020-02 is not the one that 2020-01-" in wrong

    def test_each_is_tried_here(self):
        assert set(CHECKS) == {name.split("_")[1] for name in dir(self) if name.startswith("test_")} - {
            "each"
        }


def one_point_more(outcome, players):
    """The outcome with a point more at standard for these players."""
    ratings = {speed: dict(of_speed) for speed, of_speed in outcome.standings.ratings.items()}
    for player in players:
        state = ratings["standard"][player]
        ratings["standard"][player] = state._replace(value=(state.value or 1500) + 1)
    return outcome._replace(standings=replace(outcome.standings, ratings=ratings))


def at_random(calls):
    """A rate function that gives another rating each time."""

    def rate(standings, batch, settings):
        outcome = BOOK.rate(standings, batch, settings)
        for player in list(outcome.standings.ratings["standard"])[:1]:
            outcome.standings.ratings["standard"][player] = UNRATED._replace(value=next(calls))
        return outcome

    return rate


def by_first_in_the_register(standings, batch, settings):
    """Whoever stands first in the register gets a point."""
    outcome = BOOK.rate(standings, batch, settings)
    known = [player for player in batch.register.players if player in outcome.standings.ratings["standard"]]
    return one_point_more(outcome, known[:1])


def by_events(standings, batch, settings):
    """Whoever is rated gets a point for an event without games."""
    outcome = BOOK.rate(standings, batch, settings)
    is_empty = any(not entry.games for entry in batch.entries)
    return one_point_more(outcome, outcome.standings.ratings["standard"] if is_empty else ())


def without_a_line(standings, batch, settings):
    """The last line of each event is forgotten."""
    outcome = BOOK.rate(standings, batch, settings)
    return outcome._replace(events=[of._replace(lines=of.lines[:-1]) for of in outcome.events])


def with_a_point_too_many(standings, batch, settings):
    """The sums say a point more than the lines."""
    outcome = BOOK.rate(standings, batch, settings)
    sums = {
        speed: {player: done._replace(total=done.total + 100) for player, done in of_speed.items()}
        for speed, of_speed in outcome.calculations.items()
    }
    return outcome._replace(calculations=sums)


def moving_the_unrated(standings, batch, settings):
    """A line of a player without a rating has a change."""
    outcome = BOOK.rate(standings, batch, settings)
    events = [
        of._replace(lines=[line if line.own is not None else line._replace(change=100) for line in of.lines])
        for of in outcome.events
    ]
    return outcome._replace(events=events)


def off_by_one(own, opponent, score, k):
    found = BOOK.calculator.change(own, opponent, score, k)
    return found if found.hundredths is None else found._replace(hundredths=found.hundredths + 1)


class TestOnLedgers:
    def wrong(self, name, **changes):
        broken = replace(BOOK, **changes)
        made = [chess_ledger(broken, seed) for seed in range(3)]
        return [sentence for ledger in made for sentence in ON_LEDGERS[name](broken, ledger)]

    def test_same_again(self):
        assert "rated a second time: (" in self.wrong("same-again", rate=at_random(count(1500)))[0]

    def test_any_order(self):
        wrong = self.wrong("any-order", rate=by_first_in_the_register)
        assert wrong[0].startswith("with its rows in another order: (")

    def test_nobody_played(self):
        wrong = self.wrong("nobody-played", rate=by_events)
        assert wrong[0].startswith("with an event that nobody played: ('202")

    def test_lines_add_up(self):
        assert " lines of " in self.wrong("lines-add-up", rate=without_a_line)[0]
        assert "the calculation says" in self.wrong("lines-add-up", rate=with_a_point_too_many)[0]
        assert "the calculation says 0" in self.wrong("lines-add-up", rate=moving_the_unrated)[0]

    def test_twin(self):
        wrong = self.wrong("twin", rate=by_first_in_the_register)
        assert "by its fast twin: 2025-" in wrong[0]

    def test_calculator(self):
        wrong = self.wrong("calculator", calculator=replace(BOOK.calculator, change=off_by_one))
        assert "half points, K " in wrong[0]

    def test_public_ledger(self):
        assert "from the public ledger: (" in self.wrong("public-ledger", private_facts=NOTHING_PRIVATE)[0]
        odd = DayClause(lambda born, _year: born.year % 2)
        asked = replace(BOOK.private_facts, days={"birth_date": odd})
        assert "birth_date: the answers to 2025 come back with later days: [" in "".join(
            self.wrong("public-ledger", private_facts=asked)
        )

    def test_each_is_tried_here(self):
        tried = {
            name.removeprefix("test_").replace("_", "-") for name in dir(self) if name.startswith("test_")
        }
        assert tried - {"each-is-tried-here"} == set(ON_LEDGERS)


def test_what_fails_is_said_line_by_line():
    with pytest.raises(BookFailed) as failed:
        check(changed_example(0, must_give="+15.3"), 1)
    first, *lines = str(failed.value).splitlines()
    assert first == "jcf-2024"
    assert [line.split(":")[0] for line in lines] == ["examples"]


def test_of_one_thing_only_so_much_is_said():
    broken = replace(BOOK, rate=without_a_line)
    (found,) = [result for result in results(broken, 5) if result.check == "lines-add-up"]
    assert len(found.wrong) == MOST


class TestMadeUpLedgers:
    def test_they_hold_every_verdict_that_matters(self):
        verdicts = Counter(
            line.verdict
            for seed in range(20)
            for ledger in [chess_ledger(BOOK, seed)]
            for rated in history.history(ledger, history.list_names(ledger, None))
            for lines in rated.outcome.events
            for line in lines.lines
        )
        assert {"rated", "first", "forfeit", "member", "late", "speed"} <= set(verdicts)
        assert verdicts["rated"] > verdicts["forfeit"]

    @pytest.mark.parametrize("name", CHESS)
    @pytest.mark.slow
    def test_they_bring_first_ratings(self, name):
        book = BOOKS[name]
        made = [
            done
            for seed in range(10)
            for ledger in [chess_ledger(book, seed)]
            for rated in history.history(ledger, history.list_names(ledger, None))
            for of_speed in rated.outcome.calculations.values()
            for done in of_speed.values()
        ]
        assert any(done.before.value is None and done.after.value is not None for done in made)

    def test_they_are_the_same_for_the_same_seed(self):
        assert chess_ledger(BOOK, 3) == chess_ledger(BOOK, 3)
        assert chess_ledger(BOOK, 3) != chess_ledger(BOOK, 4)
        book = BOOKS["pandanet"]
        assert go_ledger(book, 3) == go_ledger(book, 3)
        assert go_ledger(book, 3) != go_ledger(book, 4)
