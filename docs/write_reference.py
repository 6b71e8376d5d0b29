"""Write the reference pages that are made from the code: every command's help, every question of the API.

    python docs/write_reference.py

A test makes them anew and compares, so run this after a change of either.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

HERE = Path(__file__).resolve().parent
HEADINGS = {
    "en": "# Every command's help\n\nAs `banzuke COMMAND --help` prints it. [The commands](commands.md) tells what they are for.\n",
    "ja": "# コマンドのヘルプ\n\n`banzuke コマンド名 --help --lang ja` の表示です。使い分けは[The commands](../commands.md)にあります。\n",
}
API_HEADING = """# Every question of the API

Made from the description that an office serves at `/api/v1/openapi.json`. [The API](api.md) tells how to begin. Each
question answers with JSON; failures are problem documents (RFC 9457).
"""
#: What encloses a table in a page that is otherwise written by hand.
PROBLEMS, REASONS = (
    "<!-- problems: by docs/write_reference.py -->",
    "<!-- reasons: by docs/write_reference.py -->",
)
CODES = "<!-- codes: by docs/write_reference.py -->"
TABLE_END = "<!-- end -->"
WIDTH = 88
#: Of longer sets of words only the first and the last are named.
MOST_NAMED = 16


def pages() -> dict[str, str]:
    """The pages by their names under docs."""
    return {
        "api.md": with_table((HERE / "api.md").read_text("utf-8"), PROBLEMS, problems()),
        "live.md": with_table(
            with_table((HERE / "live.md").read_text("utf-8"), REASONS, reasons()), CODES, codes()
        ),
        "reference-commands.md": in_language("en"),
        "ja/reference-commands.md": in_language("ja"),
        "reference-api.md": api(),
    }


def in_language(lang: str) -> str:
    """The page of the commands, made by a process of its own: a process has one language."""
    words = [sys.executable, str(HERE / "write_reference.py"), lang]
    environment = os.environ | {
        "BANZUKE_LANG": lang,
        "PYTHONIOENCODING": "utf-8",
        "PYTHONPATH": str(HERE.parent),
    }
    done = subprocess.run(words, env=environment, capture_output=True, encoding="utf-8", check=True)
    return done.stdout


def commands(lang: str) -> str:
    """The help of every command, in the order of `banzuke --help`."""
    from typer.testing import CliRunner

    from banzuke.cli.app import COMMANDS, GROUP, app

    runner, found = CliRunner(), [HEADINGS[lang]]
    plain = {"TERMINAL_WIDTH": str(WIDTH), "COLUMNS": str(WIDTH), "NO_COLOR": "1", "TERM": "dumb"}
    for name, where in COMMANDS.items():
        if where != GROUP:
            words = [*name.split(), "--help", "--lang", lang]
            help_text = runner.invoke(app, words, env=plain, prog_name="banzuke").stdout
            lines = "\n".join(line.rstrip() for line in help_text.strip("\n").splitlines())
            found.append(f"## banzuke {name}\n\n```text\n{lines}\n```\n")
    return "\n".join(found)


def set_up() -> None:
    """Have Django ready, in a folder that nobody uses."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
    os.environ.setdefault("BANZUKE_HOME", tempfile.mkdtemp())
    import django

    django.setup()


def api() -> str:
    """The questions of the API by address: what each is asked with, and the fields of its answer."""
    set_up()
    from banzuke.api.v1 import api as office_api

    schema = office_api.get_openapi_schema(path_prefix="/api/v1/")
    kinds = schema["components"]["schemas"]
    found = [API_HEADING]
    for address, questions in sorted(schema["paths"].items()):
        for method, question in questions.items():
            found.append("\n".join(_question(address, method, question, kinds)))
    return "\n".join(found)


def with_table(page: str, start: str, table: Iterable[str]) -> str:
    """A page that is otherwise written by hand, with a table of it made anew."""
    before, _, rest = page.partition(start)
    _, end, after = rest.partition(TABLE_END)
    rows = "\n".join(table)
    return f"{before}{start}\n\n{rows}\n\n{end}{after}"


def problems() -> Iterator[str]:
    """Every kind of problem document."""
    from banzuke.api.problem_types import PREFIX, TYPES

    yield f"| `{PREFIX}` and | status | what it means |\n|---|---|---|"
    yield from (f"| `{word}` | {kind.status} | {kind.says} |" for word, kind in TYPES.items())


def codes() -> Iterator[str]:
    """The codes of what is wrong with what a Go server sends."""
    set_up()
    from banzuke.api import problem_types
    from banzuke.api.live.go_submissions import CONFLICTS, MISSING, WRONG
    from banzuke.words import catalogue, fault_areas

    kinds = {code: problem_types.TYPES[kind].status for code, kind in MISSING.items()}
    kinds |= dict.fromkeys(CONFLICTS, 409) | dict.fromkeys(WRONG, 422)
    yield "| `code` | status | what `message` says |\n|---|---|---|"
    for code in sorted(kinds, key=lambda each: (kinds[each], each)):
        message = catalogue(fault_areas()[code])[code]["en"]
        yield f"| `{code}` | {kinds[code]} | {_one_line(re.sub(r'{[^}]+}', '…', message))} |"


def reasons() -> Iterator[str]:
    """Every reason for which a game of Go may end, and what the book that comes along makes of it."""
    from banzuke.core.go_endings import REASONS as MEANINGS
    from banzuke.core.go_endings import FirstMinute
    from banzuke.explanations.calculators import go_books

    book = go_books()[0]
    faults = {
        FirstMinute.NEVER: "no",
        FirstMinute.UNMOVED: "if there is no move at all: the loser's",
        FirstMinute.ALWAYS: "the loser's",
        FirstMinute.NO_MOVE: f"the loser's; refused with {book.usual_game[1]} moves or more",
    }
    yield "| `reason` | what it means | `result` | `fault` |\n|---|---|---|---|"
    for word, ending in book.endings.items():
        results = ", ".join(f"`{each}`" for each in ending.results)
        yield f"| `{word}` | {MEANINGS[word]} | {results} | {faults[ending.fault]} |"


def _question(
    address: str, method: str, question: Mapping[str, Any], kinds: Mapping[str, Any]
) -> Iterator[str]:
    yield f"## {method.upper()} {address}\n"
    yield f"{_one_line(question.get('description') or question.get('summary', ''))}\n"
    asked = [
        (each["name"], each["in"], each["schema"], each.get("required"), each.get("description", ""))
        for each in question.get("parameters", ())
    ]
    if asked:
        yield "| asked with | where | what |\n|---|---|---|"
        yield from (
            f"| `{name}`{'' if must else ' (optional)'} | {where} | {_kind(kind)}; {_one_line(about)} |"
            for name, where, kind, must, about in asked
        )
        yield ""
    for heading, body in (
        ("sent", question.get("requestBody", {})),
        ("answered", question["responses"].get(200, {})),
    ):
        for content in body.get("content", {}).values():
            yield from _fields(heading, content.get("schema", {}), kinds)


def _fields(heading: str, schema: Mapping[str, Any], kinds: Mapping[str, Any]) -> Iterator[str]:
    """The fields of what is sent or answered, those of its parts under `part.field`."""
    rows = list(_rows(schema, kinds, ""))
    if rows:
        yield f"| {heading} | what |\n|---|---|"
        yield from (f"| `{name}` | {what} |" for name, what in rows)
        yield ""


def _rows(schema: Mapping[str, Any], kinds: Mapping[str, Any], start: str) -> Iterator[tuple[str, str]]:
    for name, field in _resolved(schema, kinds).get("properties", {}).items():
        about = field.get("description") or _resolved(field, kinds).get("description", "")
        yield f"{start}{name}", "; ".join(filter(None, (_kind(field), _one_line(about))))
        inner = field.get("items", field)
        if start.count(".") < 2 and "$ref" in str(inner):
            ending = "[]." if "items" in field else "."
            yield from _rows(inner, kinds, f"{start}{name}{ending}")


def _resolved(schema: Mapping[str, Any], kinds: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a reference leads to; of several possible kinds the first that is not null."""
    for each in schema.get("anyOf", schema.get("oneOf", ())):
        if each.get("type") != "null":
            return _resolved(each, kinds)
    name = schema.get("$ref", "").rpartition("/")[2]
    return kinds[name] if name else schema


def _kind(schema: Mapping[str, Any]) -> str:
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_kind(each) for each in schema["anyOf"]))
    if "$ref" in schema:
        return str(schema["$ref"].rpartition("/")[2])
    if "enum" in schema:
        named = [f"`{each}`" if each else "blank" for each in schema["enum"]]
        return ", ".join(named if len(named) <= MOST_NAMED else [*named[:3], "...", *named[-2:]])
    kind = str(schema.get("type", "any"))
    return f"list of {_kind(schema.get('items', {}))}" if kind == "array" else kind


def _one_line(text: str) -> str:
    return re.sub(r"\s+", " ", text).replace("|", "\\|").strip()


def main() -> None:
    """Write the pages; called with a language, print the page of the commands in it."""
    if sys.argv[1:]:
        sys.stdout.write(commands(sys.argv[1]))
        return
    sys.path.insert(0, str(HERE.parent))
    for name, text in pages().items():
        (HERE / name).write_text(text, "utf-8")


if __name__ == "__main__":
    main()
