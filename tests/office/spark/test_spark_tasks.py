"""Tasks on a cluster. Functions made here travel by value: its machines do not have this module."""

from __future__ import annotations

import pytest
from pyspark.errors import PySparkException

from banzuke.office.spark.tasks import map_tasks

pytestmark = pytest.mark.xdist_group("spark")


def test_the_results_come_in_the_order_of_the_tasks(spark):
    tasks = [letter * count for count, letter in enumerate("zyxwv")]
    factor = 2
    assert map_tasks(spark, lambda text: (text * factor, len(text)), tasks) == [
        (task * 2, len(task)) for task in tasks
    ]


def test_no_tasks_give_no_results(spark):
    assert map_tasks(spark, lambda task: task, []) == []


def test_what_a_task_raises_is_raised_here(spark):
    def refused(number):
        raise ValueError(f"{number} is refused")

    with pytest.raises(PySparkException, match="5 is refused"):
        map_tasks(spark, refused, [5])
