"""The benchmarks still know the house: every name that a file of bench/ imports from it is there."""

from __future__ import annotations

import ast
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

BENCH = Path(__file__).parents[1] / "bench"


def imported_names() -> list[tuple[str, str, str]]:
    """(file, module, name) of each ``from banzuke… import name`` in bench/, in a function or not."""
    return sorted(
        {
            (file.name, node.module or "", alias.name)
            for file in BENCH.glob("*.py")
            for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "banzuke"
            for alias in node.names
        }
    )


IMPORTED = imported_names()


@pytest.mark.parametrize("module", sorted({module for _, module, _ in IMPORTED}))
def test_what_is_imported_is_there(module: str):
    try:
        found = import_module(module)
    except ImportError as error:
        if str(error.name).startswith("banzuke"):
            raise
        pytest.skip(f"needs an extra: {error.name}")
    for file, of, name in IMPORTED:
        if of == module:
            is_module = hasattr(found, "__path__") and find_spec(f"{module}.{name}") is not None
            assert is_module or hasattr(found, name), f"bench/{file}: {module} has no {name}"
