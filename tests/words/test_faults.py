"""The catalogue of faults and the code that finds them: neither says what the other does not know."""

from __future__ import annotations

import ast
from pathlib import Path
from string import Formatter

import pytest

import banzuke
from banzuke.core.fault import fault
from banzuke.words import LANGUAGES, catalogue, fault_line

SOURCE = Path(banzuke.__file__).parent
#: Where the code and the facts stand in a call: `fault(file, line, column, code, **facts)`.
CODE_AT = {"fault": 3, "CellError": 0, "_kind_of_test": 0}


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def calls(tree: ast.AST) -> list[ast.Call]:
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]


def texts(node: ast.AST) -> set[str]:
    """The string constants of an expression that yields a code."""
    if isinstance(node, ast.IfExp):
        return texts(node.body) | texts(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def codes_of(name: str, function: ast.FunctionDef, module: ast.Module) -> set[str]:
    """What a variable for a code can be: assigned in its function, or given to it as an argument."""
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and [ast.unparse(target) for target in node.targets] == [name]:
            found |= texts(node.value)
    arguments = [argument.arg for argument in function.args.args]
    if name in arguments:
        for call in calls(module):
            if call.func.id == function.name:
                found |= texts(call.args[arguments.index(name)])
    return found


def spelled_out(code: ast.expr, function: ast.FunctionDef, module: ast.Module) -> set[str]:
    """What an expression for a code can be."""
    if isinstance(code, ast.Name):
        return codes_of(code.id, function, module)
    if isinstance(code, ast.JoinedStr):
        found = {""}
        for part in code.values:
            inner = part.value if isinstance(part, ast.FormattedValue) else part
            found = {begun + text for begun in found for text in spelled_out(inner, function, module)}
        return found
    return texts(code)


def facts_of(call: ast.Call, functions: list[ast.FunctionDef]) -> set[str] | None:
    """The names of a call's facts, those of a dictionary in its function too; None where they are not said."""
    found = {keyword.arg for keyword in call.keywords if keyword.arg is not None}
    for name in [ast.unparse(keyword.value) for keyword in call.keywords if keyword.arg is None]:
        own = [function for function in functions if call in ast.walk(function)]
        said = [
            node.value.keys
            for node in (each for function in own for each in ast.walk(function))
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Dict)
            if ast.unparse(node.targets[0]) == name
        ]
        if not said:
            return None
        found |= {key.value for keys in said for key in keys if isinstance(key, ast.Constant)}
    return found


def noted(module: ast.Module) -> list[tuple[str, set[str]]]:
    """Every fault that a module notes, with the names of its facts."""
    functions = [node for node in ast.walk(module) if isinstance(node, ast.FunctionDef)]
    handing_on = [call for function in functions if function.name in CODE_AT for call in calls(function)]
    found = []
    for scope in (module, *functions):
        for call in calls(scope):
            at = CODE_AT.get(call.func.id)
            facts = facts_of(call, functions)
            if at is None or facts is None or call in handing_on:
                continue  # the second is where a CellError becomes a fault, code, facts and all
            code = call.args[at]
            if isinstance(code, ast.Constant) != (scope is module):
                continue  # written out: found in the module; else in its function
            codes = texts(code) if scope is module else spelled_out(code, scope, module)
            if not codes and any(keyword.arg is None for keyword in call.keywords):
                continue  # code and facts are handed on together
            assert codes, f"line {call.lineno}: what can this code be?"
            own = {"value"} if call.func.id == "_kind_of_test" else facts
            found += [(code, own) for code in sorted(codes)]
    return found


USED = [
    pytest.param(code, facts, id=f"{path.stem}-{code}")
    for path in sorted((SOURCE / "ledger").glob("*.py"))
    for code, facts in noted(ast.parse(path.read_text("utf-8")))
]
FAULTS = catalogue("faults/ledger")


def test_the_walk_finds_what_the_ledger_notes():
    codes = {param.values[0] for param in USED}
    assert {"cell-blank", "cell-date", "double-game", "player-twice", "double-declaration"} <= codes
    assert {"pool-setting-flag", "zone-flicker", "not-parquet"} <= codes


@pytest.mark.parametrize(("code", "facts"), USED)
def test_every_fault_has_a_sentence_of_its_facts(code, facts):
    for lang in LANGUAGES:
        if facts:
            assert placeholders(FAULTS[code][lang]) == facts
        else:  # said as it stands, so that braces would be printed
            assert not set("{}") & set(FAULTS[code][lang])


def test_no_sentence_is_without_a_fault():
    unused = set(FAULTS) - {param.values[0] for param in USED}
    for path in SOURCE.rglob("*.py"):
        source = path.read_text("utf-8")
        if any(code in source for code in unused):
            unused -= {text for node in ast.walk(ast.parse(source)) for text in texts(node)}
    assert unused == set()


@pytest.mark.parametrize("code", FAULTS)
def test_both_languages_say_it_on_one_line(code):
    assert set(FAULTS[code]) == set(LANGUAGES)
    english, japanese = FAULTS[code]["en"], FAULTS[code]["ja"]
    assert placeholders(english) == placeholders(japanese)
    assert english == " ".join(english.split())
    assert "\n" not in japanese
    assert japanese == japanese.strip()


@pytest.mark.parametrize("code", FAULTS)
def test_the_japanese_is_japanese(code):
    japanese = FAULTS[code]["ja"]
    assert any("\u3041" <= letter <= "\u3096" for letter in japanese)
    assert not set("，．､｡?!;") & set(japanese)


@pytest.mark.parametrize(
    ("file", "line", "column", "begins"),
    [
        ("a.csv", 3, "B", "a.csv:3: B: The "),
        ("a.csv", 3, "", "a.csv:3: The "),
        ("a.csv", 0, "", "a.csv: The "),
        ("", 0, "", "The "),
    ],
)
def test_a_line_says_where_as_far_as_there_is_a_place(file, line, column, begins):
    said = fault_line(fault(file, line, column, "incoming-no-day"), "en")
    assert said.startswith(begins), said
