"""Every act that is written into the journal or the book, and every fact of it, is called something."""

from __future__ import annotations

import ast
import re
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

import banzuke
from banzuke.database.models import Report
from banzuke.office.refusals import MovedOnError
from banzuke.words import act_text, catalogue

SOURCE = Path(banzuke.__file__).parent
ACTS = {code for code in catalogue("journal") if code != "fact"}
#: What a module that writes acts calls.
WRITERS = re.compile(r"\b(note|Act|add_entry|add_entries)\(")
#: The same by name; the act is the second argument. What a class calls of itself hands on what it was given.
WRITING = {"note", "Act", "writer.add_entry", "writer.add_entries"}
#: Where a state stands in a code, it is one that a report is moved to by itself.
STATES = {Report.State.HELD, Report.State.RETURNED, Report.State.REFUSED}


@cache
def nodes_of(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Every node below one, found once."""
    return tuple(ast.walk(tree))


def codes(node: ast.expr, module: ast.Module) -> set[str]:
    """What an expression for an act can be."""
    match node:
        case ast.Constant(value=str(code)):
            return {code}
        case ast.IfExp():
            return codes(node.body, module) | codes(node.orelse, module)
        case ast.JoinedStr(values=[ast.Constant(value=str(begin)), _]):
            return {begin + state for state in STATES}
        case ast.Name(id=name):
            return assigned(name, module) | handed(name, module) | imported(name, module)
        case ast.Subscript(value=ast.Name(id=table)):
            return assigned(table, module)
        case ast.Dict(values=values):
            return {code for value in values for code in codes(value, module)}
    return set()


def assigned(name: str, module: ast.Module) -> set[str]:
    """What is assigned to a name anywhere in a module."""
    found = set()
    for node in nodes_of(module):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = [(target, node.value)]
                if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                    pairs = list(zip(target.elts, node.value.elts, strict=True))
                for one, value in pairs:
                    found |= codes(value, module) if ast.unparse(one) == name else set()
    return found


def imported(name: str, module: ast.Module) -> set[str]:
    """What a name is in the module of ours that it comes from."""
    sources = {
        node.module
        for node in nodes_of(module)
        if isinstance(node, ast.ImportFrom) and node.module and name in [one.name for one in node.names]
    }
    found = {getattr(import_module(source), name) for source in sources if source.startswith("banzuke.")}
    return {value for value in found if isinstance(value, str)}


def handed(name: str, module: ast.Module) -> set[str]:
    """What functions of a module that have a parameter of that name are called with."""
    takers = {
        function.name: [argument.arg for argument in function.args.args].index(name)
        for function in nodes_of(module)
        if isinstance(function, ast.FunctionDef) and name in [a.arg for a in function.args.args]
    }
    return {
        code
        for call in nodes_of(module)
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id in takers
        for code in codes(call.args[takers[call.func.id]], module)
    }


def written() -> dict[str, set[str]]:
    """The acts by the place that writes them: the second argument of what is `WRITING`."""
    found = {}
    for folder in ("database", "office", "web", "api", "server", "cli"):
        for path in sorted((SOURCE / folder).rglob("*.py")):
            text = path.read_text("utf-8")
            if not WRITERS.search(text):
                continue
            module = ast.parse(text)
            for call in nodes_of(module):
                if not isinstance(call, ast.Call):
                    continue
                place = f"{path.relative_to(SOURCE)}:{call.lineno}"
                if ast.unparse(call.func) in WRITING:
                    found[place] = codes(call.args[1], module)
    return found


WRITTEN = written()


@pytest.mark.parametrize("place", WRITTEN)
def test_every_act_has_its_words(place):
    assert WRITTEN[place]
    assert WRITTEN[place] <= ACTS


def test_no_words_are_left_over():
    assert set().union(*WRITTEN.values()) == ACTS


def test_a_code_without_words_is_found():
    module = ast.parse('A, B = "one", "two"\ndef f(act): note(x, act)\nf("three")\nnote(x, A if y else B)')
    calls = [call for call in nodes_of(module) if isinstance(call, ast.Call) and call.func.id == "note"]
    assert sorted(sorted(codes(call.args[1], module)) for call in calls) == [["one", "two"], ["three"]]


def test_a_code_of_another_module_is_found():
    module = ast.parse("from banzuke.database.ledger_folders import IMPORT\nnote(x, IMPORT)")
    assert codes(ast.Name("IMPORT"), module) == {"import-ledger"}


def test_every_fact_of_an_act_is_named():
    named = {
        keyword.arg
        for path in (SOURCE / "office").rglob("*.py")
        for call in nodes_of(ast.parse(path.read_text("utf-8")))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "note"
        for keyword in call.keywords
        if keyword.arg is not None
    }
    assert len(named) > 30
    assert named <= set(catalogue("journal")["fact"])


def test_an_act_that_no_catalogue_has_keeps_its_code():
    assert (act_text("publish", "en"), act_text("publish", "ja")) == ("List published", "リストの公表")
    assert act_text("of-another-time", "ja") == "of-another-time"


def test_who_was_overtaken_reads_by_what():
    error = MovedOnError(entry=7, act="accept-report", author="aoi")
    assert "entry 7 by aoi (Report accepted)" in error.sentence("en")
    assert "（aoiによる記入7、報告の受理）" in error.sentence("ja")
