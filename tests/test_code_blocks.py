"""Every block of the documents (commands, code, tables, settings) is tried as it is printed, or says why not."""

from __future__ import annotations

import re
import shutil
from itertools import chain
from pathlib import Path

import pytest
from test_docs import said

from banzuke.ledger.folder import read_ledger
from banzuke.ledger.reforms import read_reform

ROOT = Path(__file__).resolve().parents[1]
BLOCK = re.compile(r"^ *```(?:sh|python|toml|csv|nginx)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)

INSTALLS = "not run: installs; .ci/run and the README's commands do, from nothing"
MACHINE = "not run: asks for a machine of its own (systemd, containers, an own domain); tests/test_deploy.py"
CHECKS = "not run: these tests themselves, and the checks beside them"
FRAGMENT = "not run: a part of a file"
QUESTIONS = "test_docs.py::test_every_question_is_answered_as_printed"
TUTORIAL = [INSTALLS, *["test_docs.py::test_it_leads_to_a_published_list"] * 7]

#: By page, how each of its blocks is proved: the test that tries it, or why there is none.
PROVED = {
    "CONTRIBUTING.md": [INSTALLS, CHECKS],
    "README.md": [INSTALLS],
    "docs/api.md": [
        QUESTIONS,
        "api/test_api_lists.py::test_what_is_known_is_not_sent_again",
        QUESTIONS,
        QUESTIONS,
    ],
    "docs/commands.md": [
        "test_docs.py::test_they_run_as_printed",
        "cli/test_public_verification.py::test_it_runs_as_printed",
        "cli/test_proof_commands.py::test_it_runs_as_printed",
        "api/test_report_push.py::test_it_runs_as_printed",
    ],
    "docs/engines.md": ["test_code_blocks.py::test_the_fast_engine_runs_as_printed"],
    "docs/house.md": [
        "web/test_translations.py::test_compiled_catalogues_are_what_their_sources_say",
        CHECKS,
    ],
    "docs/icu.md": ["rulebooks/test_icu_ledger.py::test_the_example_of_the_page"] * 6,
    "docs/ja/tutorial.md": TUTORIAL,
    "docs/laboratory.md": [
        INSTALLS,
        QUESTIONS,
        *["test_code_blocks.py::test_a_reform_is_read_as_printed"] * 2,
        *[QUESTIONS] * 9,
    ],
    "docs/ledger.md": [
        *["test_docs.py::test_it_checks_and_gives_the_printed_list"] * 6,
        "test_code_blocks.py::test_settings_are_read_as_printed",
        "test_code_blocks.py::test_a_reform_is_read_as_printed",
    ],
    "docs/library.md": ["test_library.py::test_the_example_of_the_docs_runs"],
    "docs/live.md": [
        "test_docs.py::test_the_first_game_is_sent_as_printed",
        *["test_docs.py::test_a_server_sends_and_a_ledger_is_replayed_as_printed"] * 5,
        "server/test_webhook_sender.py::test_the_signature_is_checked_as_printed",
    ],
    "docs/operating.md": [
        INSTALLS,
        "database/test_roles.py::test_the_office_works_and_cannot_open_what_is_closed",
        *[MACHINE] * 5,
        *["test_docs.py::test_a_backup_is_made_and_restored_as_printed"] * 2,
    ],
    "docs/ja/record.md": ["cli/test_public_verification.py::test_by_hand_as_printed"],
    "docs/record.md": ["cli/test_public_verification.py::test_by_hand_as_printed"],
    "docs/rule-books.md": [
        *["test_rule_books_page.py::test_the_commands_run_as_printed"] * 3,
        FRAGMENT,
        "test_rule_books_page.py::test_the_commands_run_as_printed",
        FRAGMENT,
        "test_other_books.py::test_it_is_rated",
        *["test_rule_books_page.py::test_the_samples_of_a_book_run_as_printed"] * 2,
    ],
    "docs/spark.md": ["not run as printed: a cluster of its own in tests/engine/spark"],
    "docs/tutorial.md": TUTORIAL,
    "docs/upgrading.md": [INSTALLS, INSTALLS, MACHINE],
    "docs/us-chess.md": [
        "test_code_blocks.py::test_settings_are_read_as_printed",
        "test_code_blocks.py::test_the_calculator_runs_as_printed",
    ],
}


def blocks_of(page):
    """The text of each block, in the order of the page."""
    return BLOCK.findall((ROOT / page).read_text("utf-8"))


def test_every_block_is_proved_or_says_why_not():
    """A page with a new block says here how it is tried."""
    pages = chain(ROOT.glob("*.md"), ROOT.glob("docs/*.md"), ROOT.glob("docs/ja/*.md"))
    names = (str(path.relative_to(ROOT)) for path in pages)
    found = {name: len(blocks) for name in names if (blocks := blocks_of(name)) and "reference" not in name}
    assert {page: len(proofs) for page, proofs in PROVED.items()} == found


@pytest.mark.parametrize("proof", sorted({*chain(*PROVED.values())}))
def test_the_tests_that_prove_are_there(proof):
    if not proof.startswith("not run"):
        file, name = proof.split("::")
        assert f"def {name}(" in (ROOT / "tests" / file).read_text("utf-8")


def test_the_calculator_runs_as_printed():
    (line,) = (block for block in blocks_of("docs/us-chess.md") if block.startswith("banzuke "))
    assert "1500" in said(line)


@pytest.mark.slow
def test_the_fast_engine_runs_as_printed(tmp_path, monkeypatch):
    (block,) = blocks_of("docs/engines.md")
    _installing, line = block.splitlines()
    shutil.copytree(ROOT / "examples" / "japan", tmp_path / "ledger")
    monkeypatch.chdir(tmp_path)
    assert "2025-05" in said(line)
    assert (tmp_path / "lists" / "lists.csv").exists()


@pytest.mark.parametrize(
    ("page", "number"), [("docs/laboratory.md", 2), ("docs/laboratory.md", 3), ("docs/ledger.md", 7)]
)
def test_a_reform_is_read_as_printed(page, number):
    faults = []
    assert read_reform(blocks_of(page)[number].encode(), faults)
    assert not faults


@pytest.mark.parametrize(("page", "number"), [("docs/ledger.md", 6), ("docs/us-chess.md", 0)])
def test_settings_are_read_as_printed(page, number, tmp_path):
    (tmp_path / "pool.toml").write_text(blocks_of(page)[number], "utf-8")
    for table, columns in (
        ("players", "player_id,name"),
        ("events", "event_id,name,starts,ends,reported,speed"),
        ("games", "event_id,round,white,black,result"),
    ):
        (tmp_path / f"{table}.csv").write_text(columns + "\n", "utf-8")
    assert read_ledger(tmp_path).pool.editions
