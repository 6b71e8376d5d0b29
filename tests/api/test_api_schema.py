"""The API against its own description: no failure, no answer that the description does not know."""

from __future__ import annotations

import os
from collections import Counter
from contextlib import contextmanager
from functools import lru_cache
from itertools import count

import pytest
import schemathesis
from django.core.cache import cache
from django.core.signals import request_finished, request_started
from django.db import close_old_connections
from django.test import Client
from hypothesis import HealthCheck, given, settings
from ninja import Schema
from schemathesis import GenerationMode
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance
from test_api_access import TABLE, words_of

from banzuke.server.wsgi import application

#: How many questions of each kind are made up for an address; `bench/api_schema.py` has more made up.
EXAMPLES = int(os.environ.get("BANZUKE_API_EXAMPLES", "3"))
MODES = {"good": GenerationMode.POSITIVE, "wrong": GenerationMode.NEGATIVE}

#: K is needed, or has no place, by the rule book; who plays is known, nobody plays themselves, and in years
#: that there are; a name has no signs that nobody sees: no schema says it.
NOT_HELD = {
    question: [positive_data_acceptance]
    for question in (
        ("get", "/calculators/change"),
        ("get", "/calculators/event"),
        ("get", "/pools/{pool}/terms"),
        ("post", "/pools/{pool}/games"),
        ("post", "/pools/{pool}/players"),
        ("post", "/pools/{pool}/players/{player}/name"),
        ("post", "/pools/{pool}/declarations"),
        ("post", "/pools/{pool}/void"),
        ("post", "/pools/{pool}/reports"),  # and an empty file goes out as a field, without a file's name
    )
}


@lru_cache(maxsize=1)
def published_schema():
    """The API's own description of itself."""
    schema = schemathesis.openapi.from_dict(Client().get("/api/v1/openapi.json").json())
    schema.app = application
    return schema


@contextmanager
def one_connection():
    """The server's own handler would close the test's connection to the database before a question."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def test_no_two_answers_have_one_name():
    """The description knows a shape by its name alone: of two the last would stand for both."""
    names = Counter(each.__name__ for each in every_kind(Schema))
    assert [name for name, count in names.items() if count > 1] == []


def every_kind(kind):
    """The kinds of answers and questions that are the office's own."""
    for each in kind.__subclasses__():
        if each.__module__.startswith("banzuke."):
            yield each
        yield from every_kind(each)


@pytest.mark.parametrize("mode", ["good", pytest.param("wrong", marks=pytest.mark.slow)])
@pytest.mark.parametrize(("method", "path"), TABLE)
def test_every_answer_is_described(office, db, key, method, path, mode):
    schema = published_schema()
    words = words_of((method, path))
    opened = key("officer", "read", "reports", "games", pool=words["pool"])
    headers = {"Authorization": opened["authorization"]}

    numbers = count()

    @given(schema[f"/api/v1{path}"][method.upper()].as_strategy(generation_mode=MODES[mode]))
    @settings(
        max_examples=EXAMPLES,
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    def ask(case):
        cache.clear()
        not_held = NOT_HELD.get((method, path), [])
        if next(numbers) % 2:  # every other question is of things that there are
            case.path_parameters = {name: words[name] for name in case.path_parameters or {}}
            if path.endswith("/terms"):
                case.query = (case.query or {}) | {"white": "donguri", "black": "aosagi"}
            not_held = [*not_held, negative_data_rejection]  # it may have been its address that was wrong
        case.call_and_validate(headers=headers, excluded_checks=not_held)

    with one_connection():
        ask()
