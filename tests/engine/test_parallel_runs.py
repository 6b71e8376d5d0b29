"""Runs side by side: what is kept, resuming."""

from __future__ import annotations

import multiprocessing
import time

import numpy as np
import pytest

from banzuke.engine.parallel_runs import _side_by_side, run_all


class StoppedError(Exception):
    pass


def squared(job):
    return {"square": np.array([job**2, np.nan])}


def noted(job):
    """The square, noted in a file; not while another file is there that stops it."""
    folder, number = job
    if number == 3 and (folder / "stop").exists():
        raise StoppedError
    with (folder / "noted").open("a") as stream:
        stream.write(f"{number} ")
    return squared(number)


def values(found):
    return [findings["square"][0] for findings in found]


@pytest.mark.slow
def test_findings_come_in_the_order_of_jobs_on_one_process_or_two():
    jobs = [4, 2, 3]
    assert values(run_all(squared, jobs, processes=1)) == [16, 4, 9]
    assert values(run_all(squared, jobs, processes=2)) == [16, 4, 9]


def test_finished_runs_are_read(tmp_path):
    one, two, kept = (tmp_path, 1), (tmp_path, 2), tmp_path / "kept"
    steps = []
    assert values(run_all(noted, [one, two], kept, 1, lambda *step: steps.append(step))) == [1, 4]
    assert steps == [(0, 2, ""), (1, 2, ""), (2, 2, "")]
    again = run_all(noted, [two, one], kept, 1)
    assert values(again) == [4, 1]
    assert np.isnan(again[0]["square"][1])
    assert (tmp_path / "noted").read_text() == "1 2 "


def test_a_run_that_was_stopped_goes_on_where_it_was(tmp_path):
    jobs, kept, steps = [(tmp_path, number) for number in (1, 2, 3, 4)], tmp_path / "kept", []
    (tmp_path / "stop").touch()
    with pytest.raises(StoppedError):
        run_all(noted, jobs, kept, 1)
    (tmp_path / "stop").unlink()
    found = run_all(noted, jobs, kept, 1, lambda done, _all, _what: steps.append(done))
    assert values(found) == [1, 4, 9, 16]
    assert steps == [2, 3, 4]
    assert (tmp_path / "noted").read_text() == "1 2 3 4 "


def test_what_was_kept_and_is_damaged_is_done_again(tmp_path):
    run_all(squared, [3], tmp_path, 1)
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:10])
    assert values(run_all(squared, [3], tmp_path, 1)) == [9]
    assert path.read_bytes() == whole


def slow(number):
    """The square; of 2 only after minutes."""
    time.sleep(300 * (number == 2))
    return squared(number)


@pytest.mark.slow
@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_whoever_gives_up_waits_for_no_run_under_way_or_due():
    coming, before = _side_by_side(2, slow, [2, 1, *[2] * 9]), set(multiprocessing.active_children())
    assert next(coming)[0] == 1
    since = time.monotonic()
    coming.close()
    assert time.monotonic() - since < 100
    assert set(multiprocessing.active_children()) <= before


@pytest.mark.slow
def test_an_error_in_another_process_is_raised_here(tmp_path):
    (tmp_path / "stop").touch()
    with pytest.raises(StoppedError):
        run_all(noted, [(tmp_path, 3), (tmp_path, 3)], processes=2)
