"""What starts at once imports little: no framework, no reader, no engine before a command needs it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from command_runs import imported

from banzuke.cli.app import COMMANDS, GROUP

#: What no command needs only to say what it does or what the rule books are.
HEAVY = {
    *(
        "django",
        "lxml",
        "chess",
        "sgfmill",
        "python_calamine",
        "xlsxwriter",
        "rapidfuzz",
        "orjson",
        "asyncio",
    ),
    *("rich.progress", "rich.markdown", "rich.syntax", "rich.traceback"),
    *("banzuke.engine.history", "banzuke.ledger", "banzuke.formats", "banzuke.columnar", "banzuke.lab"),
}
#: Packages of extras, which need not be installed.
EXTRAS = {
    "numpy",
    "numba",
    "pyarrow",
    "scipy",
    "pandas",
    "pyspark",
    "typst",
    "whr",
    "psycopg",
    "gacrux",
}
#: Imports what serves an office as if no extra were installed.
SERVING = f"""
import sys
sys.modules.update(dict.fromkeys({sorted(EXTRAS)}))
import django
django.setup()
import banzuke.server.game_writer, banzuke.server.urls, banzuke.server.worker
import banzuke.office.jobs.job_kinds
"""


@pytest.mark.parametrize("lang", ["en", "ja"])
@pytest.mark.parametrize("words", [["--help"], ["lab", "--help"]])
def test_help_imports_no_command(words, lang):
    found = imported(*words, lang=lang)
    assert not found & (HEAVY | EXTRAS)
    assert not found & {"rich", "banzuke.rulebooks"}
    commands = {target.partition(":")[0] for target in COMMANDS.values() if target != GROUP}
    assert not found & commands


@pytest.mark.parametrize("words", [["rules"], ["rules", "--help"], ["rules", "jcf-2024", "--format", "json"]])
@pytest.mark.slow
def test_the_rule_books_are_shown_without_what_rates_or_reads(words):
    assert not imported(*words) & (HEAVY | EXTRAS)


def test_what_is_forbidden_is_there():
    """A name that is misspelled or gone would forbid nothing."""
    script = "import importlib.util as u, sys; sys.exit(not all(u.find_spec(n) for n in sys.argv[1:]))"
    assert subprocess.run([sys.executable, "-c", script, *HEAVY], check=False).returncode == 0


def test_an_office_is_served_without_any_extra():
    ran = subprocess.run([sys.executable, "-c", SERVING], check=False, capture_output=True, text=True)
    assert (ran.returncode, ran.stderr) == (0, "")
