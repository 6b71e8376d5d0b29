"""Runs the command line: in this process, or in one of its own where the outside matters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from typer.testing import CliRunner

from banzuke.cli.app import app

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"

#: The command in a process of its own.
COMMAND = (sys.executable, "-m", "banzuke.cli.app")


class Ran(NamedTuple):
    """An exit status, and what was printed where."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.splitlines()

    @property
    def json(self):
        return json.loads(self.out)


def banzuke(*arguments: object, lang: str = "en", columns: int = 200) -> Ran:
    """The command in this process, for a reader of that language with a screen of that width."""
    words = [str(argument) for argument in arguments]
    result = CliRunner().invoke(app, words, env={"BANZUKE_LANG": lang, "COLUMNS": str(columns)})
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return Ran(result.exit_code, result.stdout, result.stderr)


def outside(*arguments: object, cwd: Path | None = None, **environment: str) -> Ran:
    """The command in a process of its own, with an environment changed so."""
    env = {
        name: value for name, value in os.environ.items() if name not in ("LC_ALL", "LANG", "BANZUKE_LANG")
    }
    words = [*COMMAND, *map(str, arguments)]
    done = subprocess.run(words, check=False, capture_output=True, cwd=cwd, env=env | environment, timeout=60)
    return Ran(
        done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    )


#: Runs the command line and prints, last, the modules that it imported.
_RUN = """
import json, sys
from banzuke.cli.app import main
try:
    main()
finally:
    print(json.dumps(sorted(sys.modules)))
"""


def imported(*arguments: object, lang: str = "en") -> set[str]:
    """The modules that are there once the command has run, well, in an interpreter of its own."""
    environment = os.environ | {"BANZUKE_LANG": lang, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-c", _RUN, *map(str, arguments)]
    ran = subprocess.run(words, env=environment, capture_output=True, check=True, timeout=60)
    *printed, modules = ran.stdout.decode().splitlines()
    assert len(printed) > 5
    return set(json.loads(modules))


def ledger(folder: Path, book: str, start: str = "2022-09-01", **tables: str) -> Path:
    """A ledger folder with one edition of a book and tables as CSV texts."""
    folder.mkdir(parents=True, exist_ok=True)
    pool = f'name = "Pool"\n[[edition]]\nrulebook = "{book}"\nfrom = {start}\n'
    (folder / "pool.toml").write_text(pool, "utf-8")
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text.strip() + "\n", "utf-8")
    return folder


def no_traceback(ran: Ran) -> str:
    """What was complained of, seen to be plain lines."""
    assert "Traceback" not in ran.err
    assert all(line.isprintable() for line in ran.err.splitlines())
    return ran.err
