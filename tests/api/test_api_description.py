"""The API's description of itself: every field in words, every closed set of words listed."""

from __future__ import annotations

import ast
import inspect

import pytest
from django.test import Client
from test_api_access import ASKED, TABLE, V1, words_of

from banzuke.api import problem_types
from banzuke.api.live import go_submissions
from banzuke.api.v1 import api as the_api
from banzuke.core import go_endings
from banzuke.ledger import checks
from banzuke.office.live import accounts, erased_players, moment_limits, pool_events, submission_queue

#: Fields whose words are a closed set wherever they occur.
CLOSED = {
    "colour", "declared", "direction", "fault", "group", "kind", "lang", "rank", "rank_after", "rank_before",
    "reason", "result", "robot", "room", "rulebook", "score", "sex", "sort", "speed", "state", "status",
    "turn", "type", "verdict", "weight",
}  # fmt: skip
#: Those of several books of chess (`verdict`, `rank`), sums of points, numbers, and books that are gone.
OPEN = {
    ("Line", "verdict"), ("Line", "rank"), ("Line", "rank_after"), ("Form", "score"), ("First", "p"),
    ("ProblemDocument", "status"), ("PublishedList", "rulebook"), ("Revisions", "rulebook"),
}  # fmt: skip


@pytest.fixture(scope="module")
def described():
    return the_api.get_openapi_schema(path_prefix="")


def every_field(described):
    """Where each field and each parameter stands, its name, and what is said of it."""
    for kind, schema in described["components"]["schemas"].items():
        yield from fields_of(kind, schema)
    for address, questions in described["paths"].items():
        for method, question in questions.items():
            for each in question.get("parameters", ()):
                yield f"{method} {address}", each["name"], {**each["schema"], **each}
            for content in question.get("requestBody", {}).get("content", {}).values():
                yield from fields_of(f"{method} {address}", content["schema"])


def fields_of(where, schema):
    for name, field in schema.get("properties", {}).items():
        yield where, name, field
        yield from fields_of(where, field.get("items", {}))


def resolved(field, described):
    """A field's schemas, behind references and among several."""
    if "$ref" in field:
        yield from resolved(described["components"]["schemas"][field["$ref"].rpartition("/")[2]], described)
    elif inner := field.get("anyOf"):
        for each in inner:
            yield from resolved(each, described)
    elif "items" in field:
        yield from resolved(field["items"], described)
    else:
        yield field


def test_every_field_and_parameter_is_described(described):
    silent = [(where, name) for where, name, field in every_field(described) if not field.get("description")]
    assert silent == []


def test_every_question_is_described(described):
    questions = [one for methods in described["paths"].values() for one in methods.values()]
    assert all(one.get("description") for one in questions)


def test_closed_sets_of_words_are_listed(described):
    """As an enum or, for words with a beginning of their own, as a pattern."""
    open_words = [
        (where, name)
        for where, name, field in every_field(described)
        if name in CLOSED and (where, name) not in OPEN
        for each in resolved(field, described)
        if each.get("type") == "string" and not {"enum", "pattern", "const"} & each.keys()
    ]
    assert open_words == []


def test_no_parameter_can_be_null(described):
    """It is left out."""
    parameters = [
        each
        for questions in described["paths"].values()
        for question in questions.values()
        for each in question.get("parameters", ())
    ]
    assert parameters
    assert [each["name"] for each in parameters if "null" in str(each["schema"])] == []


def test_every_question_may_fail_for_want_of_the_office(described):
    for questions in described["paths"].values():
        for question in questions.values():
            assert "`failed`" in question["responses"][500]["description"]


def test_every_problem_has_a_type_of_its_own(described):
    listed = described["components"]["schemas"]["ProblemDocument"]["properties"]["type"]["enum"]
    assert listed == [problem_types.uri(word) for word in problem_types.TYPES]


@pytest.mark.parametrize(
    "question", [each for each in TABLE if each[0] == "get" and not each[1].endswith("/stream")]
)
def test_head_is_get_without_a_body(office, key, question):
    """Also what is refused, and what has not changed."""
    _, path = question
    words = words_of(question)
    address = V1 + path.format(**words) + ASKED.get(path, "")
    headers = key("officer", "read", "reports", "games", pool=words["pool"])
    whole = Client().get(address, headers=headers)
    assert_is_head_of(whole, Client().head(address, headers=headers))
    if "ETag" in whole:
        same = Client().head(address, headers=headers | {"if-none-match": whole["ETag"]})
        assert same.status_code == 304


@pytest.mark.parametrize("address", ["/", "/openapi.json", "/pools/none/lists"])
def test_head_of_what_no_table_has(office, address):
    assert_is_head_of(Client().get(V1 + address), Client().head(V1 + address))


def assert_is_head_of(whole, head):
    assert head.status_code == whole.status_code
    assert head.content == b""
    assert {**head.headers} == {**whole.headers}


def test_head_of_what_is_only_sent(office):
    answer = Client().head(f"{V1}/pools/go-server/void")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")
    assert Client().delete(f"{V1}/pools")["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    ("address", "headers", "kind"),
    [
        ("/nothing", {}, "unknown-address"),
        ("/pools/none/lists", {}, "unknown-pool"),
        ("/pools/japan/lists/1999-01", {}, "unknown-list"),
        ("/pools/japan/players/nobody", {}, "unknown-player"),
        ("/pools/japan/events/none", {}, "unknown-event"),
        ("/pools/japan/changes", {}, "chess-pool"),
        ("/pools/go-server/games/none", {}, "unknown-game"),
        ("/pools/go-server/terms?white=aosagi&black=aosagi", {}, "same-player"),
        ("/pools/go-server/changes?after=-1", {}, "invalid"),
        ("/calculators/change?rulebook=hakodate&own=1&opponent=1&score=1&own_games=3", {}, "k-or-games"),
        ("/pools/japan/reports", {}, "no-key"),
        ("/pools", {"authorization": "Bearer bzk_wrong"}, "wrong-key"),
    ],
)
def test_what_went_wrong_is_a_word(office, api, address, headers, kind):
    answer = api(address, headers=headers)
    found = problem_types.TYPES[kind]
    assert answer.json()["type"] == problem_types.uri(kind), answer.content
    assert answer.status_code == answer.json()["status"] == found.status


def test_every_code_of_what_a_server_sends_is_listed():
    """The table in docs/live.md is made from these."""
    listed = go_submissions.CONFLICTS | go_submissions.MISSING.keys() | go_submissions.WRONG
    named = {
        code
        for module in (accounts, erased_players, moment_limits, pool_events, submission_queue, go_endings)
        for code in codes_in(module)
    }
    game = codes_in(checks.check_game) | codes_in(checks._check_known)
    assert listed == named | game


def codes_in(of):
    """The codes of the faults that a module or function makes."""
    calls = (node for node in ast.walk(ast.parse(inspect.getsource(of))) if isinstance(node, ast.Call))
    at = {"fault": 3, "EndingFault": 1}
    made = [(node, at.get(getattr(node.func, "id", ""))) for node in calls]
    return {node.args[place].value for node, place in made if place and len(node.args) > place}
