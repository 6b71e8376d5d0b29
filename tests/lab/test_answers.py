"""What a report on forecasts claims: only what is no chance."""

from __future__ import annotations

import numpy as np
import pytest

from banzuke.lab.answers import _shown_better
from banzuke.lab.forecasts import PARTS, Forecasts, no_games
from banzuke.lab.intervals import clusters_of
from banzuke.lab.prediction import _difference_rows
from banzuke.lab.sheets import header_of

EVENTS, BOARDS = 60, 12


def history(models, seed, better=0.0):
    """Games at one half each, and models that expect them with a luck of their own; the last ones are better."""
    random = np.random.default_rng(seed)
    size = EVENTS * BOARDS
    event, score = np.repeat(np.arange(EVENTS), BOARDS), random.integers(0, 2, size).astype(float)
    blank = {
        name: np.zeros((*each.shape[:-1], size), each.dtype) for name, each in no_games()._asdict().items()
    }
    games = Forecasts(**blank)._replace(
        place=event, event=event, score=score, of=np.arange(size),
        white=random.integers(0, 40, size), black=random.integers(40, 80, size),
    )  # fmt: skip
    luck = 0.5 + 0.1 * random.choice((-1, 1), (models, size))
    known = 0.5 + 0.1 * (2 * score - 1)
    knows = (np.arange(models) >= models - 1)[:, None] & (random.random((models, size)) < better)
    expected = np.where(knows, known, luck)
    return {f"model {n}": games._replace(expected=expected[n]) for n in range(models)}


def differences(models):
    """The rows of `score_differences`."""
    first = models["model 0"]
    rows = _difference_rows(models, clusters_of(first.event, first.white, first.black))
    return [dict(zip(header_of("score_differences"), row, strict=True)) for row in rows]


def claim(models):
    """The model that is claimed to be better than the first, as a report has it; how many were tried."""
    return _shown_better(differences(models))


@pytest.mark.parametrize(("models", "alone"), [(2, 0), (31, 8)])
def test_of_models_that_are_equally_good_hardly_one_is_called_better(models, alone):
    """In forty histories; by its own interval the best of thirty would be called better in many of them."""
    rows = [differences(history(models, seed)) for seed in range(40)]
    assert sum(_shown_better(each)[0] is not None for each in rows) <= 2
    assert sum(min(row["log_loss_high"] for row in each[:-1]) < 0 for each in rows) >= alone


def test_a_model_that_knows_more_is_called_better():
    assert claim(history(31, 1, better=0.5)) == ("model 30", 30)


def test_what_was_good_in_one_part_of_history_alone_is_not_called_better():
    models = history(3, 1, better=1.0)
    lucky = models["model 2"]
    late = lucky.place >= EVENTS - EVENTS // PARTS
    expected = np.where(late, lucky.expected, models["model 0"].expected)
    only_late = {**models, "model 2": lucky._replace(expected=expected)}
    assert claim(only_late)[0] is None  # nobody could have chosen it before


def test_nothing_is_claimed_of_one_model():
    assert claim(history(1, 1)) == (None, 0)
