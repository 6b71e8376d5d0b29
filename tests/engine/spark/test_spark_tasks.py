"""Tasks on a cluster. Functions made here travel by value: its machines do not have this module."""

from __future__ import annotations

import pytest
from pyspark.errors import PySparkException

from banzuke.core.fault import RefusedError, fault
from banzuke.engine.spark.cluster import map_tasks

pytestmark = pytest.mark.slow


def test_every_result_comes_with_the_place_of_its_task(spark):
    tasks = [letter * count for count, letter in enumerate("zyxwv")]
    factor = 2
    assert dict(map_tasks(spark, lambda text: (text * factor, len(text)), tasks)) == {
        place: (task * 2, len(task)) for place, task in enumerate(tasks)
    }


def test_no_tasks_give_no_results(spark):
    assert list(map_tasks(spark, lambda task: task, [])) == []


def test_what_a_task_raises_is_raised_here(spark):
    def failed(number):
        raise ValueError(f"{number} is wrong")

    with pytest.raises(PySparkException, match="5 is wrong"):
        list(map_tasks(spark, failed, [5]))


def test_what_is_refused_there_is_refused_here(spark):
    def refused(number):
        raise RefusedError([fault("games.csv", number, "", "columns")])

    with pytest.raises(RefusedError) as error:
        list(map_tasks(spark, refused, [5]))
    assert error.value.faults == [fault("games.csv", 5, "", "columns")]


def test_results_come_while_others_are_at_work_and_these_are_given_up(spark, tmp_path):
    def waits(seconds):
        import time

        time.sleep(seconds)
        (tmp_path / str(seconds)).touch()

    coming = map_tasks(spark, waits, [0, 60])
    assert next(coming) == (0, None)
    coming.close()
    assert [path.name for path in tmp_path.iterdir()] == ["0"]
    assert dict(map_tasks(spark, len, ["free"])) == {0: 4}
