"""Outside the folders of the rule books nothing names a book: not its name, its modules, nor its clauses."""

from __future__ import annotations

import re
from pathlib import Path

from banzuke.core.registry import BOOKS

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "banzuke"
#: Files that name a book, each with its reason; ten at most.
EXCEPTIONS: dict[str, str] = {
    "words/cli.toml": "examples of commands in the help",
    "core/registry.py": "the docstring shows an entry point as it is written",
    "cli/demo.py": "the names of the examples that the demo shows",
    "formats/report_form/form_layout.toml": "the printed report form of one federation, whose cells cite its clauses",
    "words/faults/ledger.toml": "an example of an edition that another one stands in for",
    "core/parameters.py": "the docstrings show a file's name as it is written",
}
MOST = 10

NAMES = sorted({name for book in BOOKS for name in (book, book.replace("-", "_"))})
PREFIXES = sorted({book.prefix for book in BOOKS.values()})
#: A book's name, a module of its folder, or a clause: its prefix with a number, a letter with one, or a table.
NAMED = re.compile(
    rf"(?<![\w-])(?:{'|'.join(map(re.escape, NAMES))})(?![\w-])"
    r"|banzuke[./]rulebooks[./]\w+"
    rf"|\b(?:{'|'.join(PREFIXES)}) (?:[A-Z]?\d|table|note|RB )"
)


def named() -> dict[str, list[str]]:
    """What names a book, by file: line and word."""
    found: dict[str, list[str]] = {}
    for path in sorted(PACKAGE.rglob("*")):
        inside = path.relative_to(PACKAGE)
        if path.suffix not in (".py", ".html", ".toml") or inside.parts[0] in ("rulebooks", "examples"):
            continue
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1):
            found.setdefault(str(inside), []).extend(f"{number}: {hit[0]}" for hit in NAMED.finditer(line))
    return {path: hits for path, hits in found.items() if hits}


def test_nothing_names_a_book():
    listed = [f"{path}:{hit}" for path, hits in named().items() if path not in EXCEPTIONS for hit in hits]
    assert not listed, "\n".join([f"{len(listed)} places name a book:", *listed])


def test_the_exceptions_are_few_and_needed():
    assert len(EXCEPTIONS) <= MOST
    assert set(EXCEPTIONS) <= set(named())
    assert all(EXCEPTIONS.values())


def test_what_is_looked_for():
    for text in (
        "jcf-2024",
        "from banzuke.rulebooks.jcf import x",
        "[JCF 5(1)K]",
        "FIDE 8.3",
        "PN 2(1)",
        "HCC R4",
    ):
        assert NAMED.search(text), text
    for text in ("FIDE rated", "a JCF member", "pandanet-go", "banzuke.rulebooks", "ncs-20222"):
        assert not NAMED.search(text), text
