"""Made pools like a ledger: what is measured, and that a pool by these figures shows them again."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pytest
from lab.synthetic_ledgers import chess_ledger, event
from lab.test_crossed_books import ledger

from banzuke.core.facts import Game
from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.engine.columnar.chess_reader import columns_of, read_columns
from banzuke.lab import fitted_pools
from banzuke.lab.answers import SimulationSize, report_simulation
from banzuke.lab.comparison import Question
from banzuke.lab.fitted_pools import NAMES, fit_folder, fit_pool, is_fitted, measure_figures, pool_of
from banzuke.lab.report_page import page
from banzuke.lab.synthetic_chess_pools import ChessPool, made_ledger
from banzuke.lab.variants import Variant, as_in_pool, edition_of, edition_of_variant
from banzuke.ledger.pool_rules import Pool

JCF = edition_of_variant(Variant("jcf-2024"))
GO = Path(__file__).parents[2] / "examples" / "go-server"
#: A pool that differs in everything from the one that a fit begins with.
TRUTH = ChessPool(
    players=1200, years=5, visiting=0, strength=1500, spread=300, draws=0.2, draws_rise=0.03, colour=28, scale=520,
    rounds=4.4, active=0.25, event_size=24, section=8, mixing=220, juniors=0.3, junior_newcomers=0.5, behind=350,
    newcomers_behind=120, arriving=0.2, leaving=0.15, ageing=(90, 110, 60, 15, 0, -10, -15),
)  # fmt: skip


def figures(columns):
    return dict(zip(NAMES, measure_figures(columns)[0], strict=True))


def test_figures_that_are_known_by_construction(tmp_path):
    """Fourteen players, each of whom plays in every event: five rounds, an event a fortnight."""
    columns = read_columns(ledger(tmp_path, "jcf-2024"))
    found = figures(columns)
    months = {(event.ends.year, event.ends.month) for event in columns.events}
    assert found["active"] == 1
    assert found["rounds"] == 50 / len(months)
    assert found["event_size"] == 14
    assert np.isnan([found["arriving"], found["juniors"], found["growth_12"]]).tolist() == [True, False, True]
    assert found["juniors"] == 0
    assert not is_fitted(measure_figures(columns))[list(NAMES).index("growth_25")]


def test_white_draws_and_age_are_measured():
    """All play to draws but for White's wins: the advantage is White's; juniors rise, adults stay."""
    pool = ChessPool(players=200, years=3, visiting=0, arriving=0, draws=0.9, colour=60, spread=50, behind=0)
    found = figures(made_ledger(pool, JCF, 4)[1])
    assert found["colour"] == pytest.approx(60, abs=8)
    assert 0.78 < found["draws"] < 0.9  # the errors of ratings make some games seem uneven
    assert found["growth_12"] > found["growth_25"] + 10
    assert found["arriving"] == 0


def test_a_ledger_without_games_and_without_birth_years(tmp_path):
    columns = read_columns(ledger(tmp_path, "jcf-2024", has_births=False))
    found = figures(columns)
    assert np.isnan([found[name] for name in ("juniors", "behind", "growth_25")]).all()
    assert not np.isnan(found["scale"])
    none = columns._replace(
        events=[], games=type(columns.games)(*(column[:0] for column in columns.games)),
        event_first=np.zeros_like(columns.event_first),
    )  # fmt: skip
    assert np.isnan(measure_figures(none)[0]).all()


@pytest.mark.slow
def test_a_made_pool_by_the_same_seed_is_the_same(monkeypatch, tmp_path):
    """Fits are kept, and made by the seed alone; the report has the figures first."""
    for name, value in (("PLAYERS", 80), ("ROUNDS", 2), ("SHOWN", 2)):
        monkeypatch.setattr(fitted_pools, name, value)
    monkeypatch.setattr("os.cpu_count", lambda: 1)  # in this process
    folder, seen = ledger(tmp_path, "jcf-2024"), []
    columns = read_columns(folder)
    first, other = fit_pool(columns, 3), fit_pool(columns, 4)
    assert not np.array_equal(first.made, other.made, equal_nan=True)
    size = SimulationSize(2, 60, 1, 3, folder)
    report = report_simulation(size, Question(kept=tmp_path / "kept"))
    assert (report.lead.key, report.sheets[0].name) == ("lead-simulate-like", "fitted")
    assert [dict(report.lead.facts)["pool"], report.sheets[1].rows[0][0]] == ["jcf-2024", "jcf-2024"]
    _, kept = fit_folder(folder, 3, tmp_path / "kept", lambda *told: seen.append(told))
    assert np.array_equal(kept.made, first.made, equal_nan=True)
    assert not seen
    assert "白番の有利（点）" in page(report, "ja").decode()


def test_a_go_server_is_not_fitted(tmp_path):
    for folder, books in ((ledger(tmp_path, "jcf-2024"), ["pandanet"]), (GO, [])):
        with pytest.raises(RefusedError) as refused:
            report_simulation(SimulationSize(2, 60, 1, 0, folder), Question(books))
        assert [fault.code for fault in refused.value.faults] == ["lab-like-go"]


def opened_with(ratings, results):
    """A ledger of players with those ratings, in which the first two play once a month, with those results."""
    games = {str(at): [Game(str(at), 1, "A", "B", result)] for at, result in enumerate(results)}
    events = [event(each, date(2025, 1, 5) + timedelta(31 * int(each))) for each in games]
    return columns_of(chess_ledger(dict(zip("AB", ratings, strict=False)), events, games))


def test_a_ledger_of_little_is_refused():
    with pytest.raises(RefusedError) as refused:
        fit_pool(opened_with([1500, 1700], ["1-0"] * 29), 0)
    assert [fault.code for fault in refused.value.faults] == ["lab-like-little"]


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("results", [["1/2-1/2"] * 40, ["1/2-1/2"], ["1-0"]])
def test_games_that_tell_nothing_of_ratings(results):
    """Both ratings are equal for good, or there is one game: no scale, but draws, where they are."""
    found = figures(opened_with([1500, 1500], results))
    assert np.isnan(found["scale"])
    assert found["draws"] == pytest.approx(results.count("1/2-1/2") / len(results))
    assert found["spread"] == (10 if results == ["1-0"] else 0)


def test_settings_of_the_pool_hold_in_pools_like_it():
    book = BOOKS["icu"]
    edition = edition_of(book, replace(book.settings(), version=3))
    plain, bound = as_in_pool([Variant("icu"), Variant("jcf-2024")], Pool("Ireland", (edition,)))
    assert (plain.name, bound.name) == ("icu version=3", "jcf-2024")
    assert edition_of_variant(plain).settings.version == 3


def test_events_hold_no_more_than_half_of_those_who_play():
    numbers = fitted_pools._numbers_of(replace(TRUTH, event_size=60, rounds=7.5))
    pool = pool_of(ChessPool(players=100), numbers)
    assert (pool.event_size, pool.section) == (12, 10)
    assert len(made_ledger(replace(pool, years=1), JCF, 1)[1].games.round) > 0


@pytest.mark.slow
def test_a_pool_by_the_figures_shows_them_again():
    """Fitted to a pool of known numbers: the figures agree within the pools' own noise, and the numbers are near.

    The noise of the ledger's figures is that of a pool, too; four pools tell a standard deviation to a factor
    of two, and of some twenty figures the largest ratio is expected.
    """
    fit = fit_pool(made_ledger(TRUTH, JCF, 101)[1], 7)
    noise = fit.made.std(axis=0, ddof=1)
    off = np.abs(fit.made.mean(axis=0) - fit.ledger[0])
    allowed = 4 * noise + 0.03 * np.abs(fit.ledger[0])
    assert is_fitted(fit.ledger).all()
    assert [name for name, each, most in zip(NAMES, off, allowed, strict=True) if each > most] == []
    numbers = dict(zip(NAMES, fit.numbers, strict=True))
    for name, within in (
        ("scale", 40), ("colour", 8), ("draws", 0.03), ("draws_rise", 0.01), ("spread", 25), ("active", 0.02),
        ("mixing", 40), ("arriving", 0.04), ("leaving", 0.03), ("strength", 60),
    ):  # fmt: skip
        assert abs(numbers[name] - getattr(TRUTH, name)) < within, (name, numbers[name])
    for age, growth in ((12, 110), (15, 60), (25, 0)):
        assert abs(numbers[f"growth_{age}"] - growth) < 35
