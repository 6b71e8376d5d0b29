"""The documents held to the code: columns, commands, the README's commands run as printed."""

from __future__ import annotations

import ast
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from migrated_office import migrated
from processes import free_port
from typer.main import get_command
from typer.testing import CliRunner
from web.served_office import serve

from banzuke.cli.app import app
from banzuke.engine import result_rows
from banzuke.lab.plots import PLOTS
from banzuke.ledger.schema import CHESS, GO

ROOT = Path(__file__).resolve().parents[1]
LEDGER = (ROOT / "docs" / "ledger.md").read_text("utf-8")
COMMANDS = (ROOT / "docs" / "commands.md").read_text("utf-8")


class TestLedgerPage:
    @pytest.mark.parametrize(
        ("heading", "columns"),
        [
            ("lists.csv (chess)", result_rows.LISTS),
            ("changes.csv (chess)", result_rows.CHANGES),
            ("adjusted.csv (chess)", result_rows.ADJUSTED),
            ("standings.csv (Go)", result_rows.GO_STANDINGS),
            ("changes.csv (Go)", result_rows.GO_CHANGES),
        ],
    )
    def test_a_results_columns_are_listed_in_their_order(self, heading, columns):
        section = LEDGER.split(f"### {heading}\n")[1].split("\n### ")[0]
        assert tuple(re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)) == columns

    @pytest.mark.parametrize(("heading", "tables"), [("## Chess tables", CHESS), ("## Go tables", GO)])
    def test_a_tables_columns_are_listed_with_the_required_marked(self, heading, tables):
        section = LEDGER.split(f"{heading}\n")[1].split("\n## ")[0]
        rows = dict(re.findall(r"^\| `(\w+)`(?: \(optional\))? \| (.*) \|$", section, re.MULTILINE))
        assert set(rows) == {table.name for table in tables}
        for table in tables:
            found = re.findall(r"`(\w+)`(\\\*)?", rows[table.name])
            named = dict(reversed(found))
            for column in table.columns:
                assert column in named, (table.name, column)
                assert bool(named[column]) == (column in table.required), (table.name, column)


class TestFirstLedger:
    def test_it_checks_and_gives_the_printed_list(self, tmp_path, monkeypatch):
        """As a reader follows it: the tables are written under the names before them."""
        monkeypatch.chdir(tmp_path)
        section = LEDGER.split("## A first ledger\n")[1].split("\n## ")[0]
        (making, *working) = re.findall(r"^banzuke .*$", section, re.MULTILINE)
        assert said(making).startswith("club: a new ledger, with pool.toml, ")
        tables = re.findall(r"`(\w+\.csv)`[^`]*```csv\n(.*?)```", section, re.DOTALL)
        assert [name for name, _ in tables] == ["players.csv", "standings.csv", "events.csv", "games.csv"]
        for name, rows in tables:
            (tmp_path / "club" / name).write_text(rows, "utf-8")
        (printed,) = re.findall(r"```text\n(.*?)```", section, re.DOTALL)
        check, rate, explain = map(said, working)
        assert check == "My Club: good. 1 event, 3 games, 3 players.\n"
        assert printed in rate
        assert explain.startswith("Ben Cole (P2): standard rating, list 2025-04 (fide-2024)\n")


def said(command):
    """What a command prints for an English reader."""
    ran = CliRunner().invoke(app, shlex.split(command)[1:], env={"BANZUKE_LANG": "en", "COLUMNS": "80"})
    assert (ran.exit_code, ran.stderr) == (0, "")
    return ran.stdout


def test_no_page_installs_from_a_registry():
    """The package is in none yet: `pip install .`, in its folder."""
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/*.md")]
    assert len(pages) > 20
    for page in pages:
        assert not re.search(r"(pip|pipx|uv) (tool )?(install|add) '?banzuke", page.read_text("utf-8")), page


class TestCommandsPage:
    def test_every_command_and_option_is_there(self):
        group = get_command(app)
        for name, command in group.commands.items():
            parts = command.commands.items() if hasattr(command, "commands") else [("", command)]
            for part, single in parts:
                assert f"`banzuke {name}{' ' + part if part else ''}" in COMMANDS
                for parameter in single.params:
                    for option in parameter.opts:
                        if option.startswith("--") and option != "--help":
                            assert option in COMMANDS, (name, option)


def blocks(page):
    """The commands of a page, block by block."""
    return re.findall(r"```sh\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)


def run(block, folder, **environment):
    """The commands run by a shell in a folder beside a copy of the examples."""
    tools = folder / "bin"
    if not tools.exists():
        shutil.copytree(ROOT / "examples", folder / "examples")
        tools.mkdir()
        command = tools / "banzuke"
        command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m banzuke.cli.app "$@"\n')
        command.chmod(0o755)
    paths = {"PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        ["sh", "-e", "-c", block],
        cwd=folder,
        env=os.environ | paths | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done


class TestOperatingPage:
    @pytest.mark.slow
    def test_a_backup_is_made_and_restored_as_printed(self, tmp_path):
        making, restoring = (block for block in blocks("docs/operating.md") if ".zip" in block)
        home = {"HOME": str(tmp_path), "DATABASE_URL": ""}
        office = home | {"BANZUKE_HOME": str(migrated(tmp_path / "office"))}
        run("banzuke import-ledger examples/hakodate --pool club\nbanzuke publish club", tmp_path, **office)
        sign = "import django; django.setup(); from banzuke.office.transparency import log_checkpoints as log; log.signed_log()"
        run(
            f"DJANGO_SETTINGS_MODULE=banzuke.server.settings {sys.executable} -c '{sign}'", tmp_path, **office
        )
        run(making, tmp_path, **office)
        (tmp_path / "kept").mkdir()
        for name in ("office-key", "log-checkpoint"):
            (tmp_path / "office" / name).rename(tmp_path / "kept" / name)
        (tmp_path / "kept" / "erased-ids").touch()
        run(restoring, tmp_path, **office)
        restored = office | {"BANZUKE_HOME": str(tmp_path / "new-office")}
        run("banzuke verify club 2025-04-opening", tmp_path, **restored)


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.slow
class TestLivePage:
    def test_the_first_game_is_sent_as_printed(self, tmp_path):
        """From nothing: the office's database is made by the first command."""
        first, *_ = blocks("docs/live.md")
        port = str(free_port())
        script = first.replace("banzuke serve", f"banzuke serve --port {port}").replace(":8000", f":{port}")
        home = {"BANZUKE_HOME": str(tmp_path / "office"), "DATABASE_URL": ""}
        answers = run(
            f"trap 'kill $office' EXIT\n{script}trap - EXIT\nwait $office || true", tmp_path, **home
        )
        assert '"verdict"' in answers.stdout
        assert '"is_new":true' in answers.stdout

    def test_a_server_sends_and_a_ledger_is_replayed_as_printed(self, tmp_path):
        _first, opening, *sendings = blocks("docs/live.md")
        streaming, replaying = (
            next(block for block in sendings if word in block) for word in ("/stream", "banzuke replay")
        )
        sending = "".join(block for block in sendings if block not in (streaming, replaying))
        home = {"BANZUKE_HOME": str(migrated(tmp_path / "office")), "DATABASE_URL": ""}
        run(opening.replace("banzuke serve\n", ""), tmp_path, **home)
        with serve(tmp_path / "office") as office:
            here = {"http://127.0.0.1:8000": office.address, "bzk_...": office.key("games")}
            for said, meant in here.items():
                sending, replaying = sending.replace(said, meant), replaying.replace(said, meant)
            answers = run(sending, tmp_path).stdout
            assert '"rank":"9k?"' in answers
            assert '"name":"Sakura II"' in answers
            assert '"verdict":"not:result"' in answers
            assert answers.count('"is_again":true') == 2
            endless = streaming.replace("http://127.0.0.1:8000", office.address)
            bounded = re.sub("^curl .*$", r"timeout 5 \g<0> || true", endless, flags=re.MULTILINE)
            streams = run(bounded, tmp_path).stdout.split("retry: 2000\n\n")[1:]
            numbers = [re.findall(r"^id: (\d+)$", stream, re.MULTILINE) for stream in streams]
            assert numbers == [["1", "2", "3", "4", "5"], ["4", "5"]]
            replayed = run(replaying, tmp_path, **home).stdout.splitlines()
        assert len(replayed) == 1 + 1 + 405
        assert replayed[1].startswith("trial: 405 games of 25 players; every line and every standing is")


#: Makes the user that keys are made for an officer of all pools.
OFFICER = """
from django.contrib.auth import get_user_model
from banzuke.database.models import Role
Role.objects.create(user=get_user_model().objects.first(), kind=Role.Kind.OFFICER)
"""


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
@pytest.mark.slow
class TestApiPage:
    def test_every_question_is_answered_as_printed(self, tmp_path):
        """Of the example pools; the second block asks with a tag, the last hands in a report."""
        public, _, of_go, reporting = blocks("docs/api.md")
        home = {"BANZUKE_HOME": str(migrated(tmp_path / "office")), "DATABASE_URL": ""}
        opening = "banzuke import-ledger examples/japan --pool japan; banzuke publish japan 2025-05\n"
        run(opening + "banzuke import-ledger examples/go-server --pool go-server", tmp_path, **home)
        (tmp_path / "spring.trf").write_bytes((ROOT / "examples" / "hinoki-spring.trf").read_bytes())
        with serve(tmp_path / "office") as office:
            here = f"here={office.address}/api/v1\n"
            asked = here + public.split("\n", 1)[1] + of_go
            answers = run(asked.replace("curl ", "curl -fsS -w '\\n' "), tmp_path).stdout.splitlines()
            assert len(answers) == asked.count("curl ")
            assert all(json.loads(answer) for answer in answers)
            office.run(OFFICER)
            sent = reporting.replace("bzk_...", office.key("reports")).replace("reports/17", "reports/1")
            reports = run(here + sent.replace("curl ", "curl -fsS -w '\\n' "), tmp_path).stdout.splitlines()
            assert [json.loads(answer)["report"] for answer in reports[:2]] == [1, 1]


class TestLaboratoryPage:
    @pytest.mark.slow
    def test_every_question_is_answered_as_printed(self, tmp_path):
        _installing, *asking = blocks("docs/laboratory.md")
        for block in asking:
            run(block, tmp_path)
            assert (tmp_path / "lab" / "report.html").exists()
        sweep = (tmp_path / "sweep" / "moved.csv").read_text("utf-8")
        assert [f"k_normal={k}" in sweep for k in (10, 20, 30, 40)] == [True] * 4

    def test_every_table_is_named(self):
        page = (ROOT / "docs" / "laboratory.md").read_text("utf-8")
        named = {
            name
            for row in re.findall(r"^\|(.*?)\|", page, re.MULTILINE)
            for name in re.findall(r"`(\w+)`", row)
        }
        assert set(PLOTS) | {"spread", "verdicts"} <= named


class TestReasonsOfGo:
    def test_the_clause_of_a_fault_is_told_by_the_moves_and_not_by_the_reason(self):
        """The book cites PN 7(2)b for a game without a move, also for `no-greeting`; else PN 7(2)a."""
        _, rest = (ROOT / "docs" / "live.md").read_text("utf-8").split("<!-- reasons", 1)
        table, after = rest.split("<!-- end -->", 1)
        assert "PN 7(2)" not in table
        assert after.index("No move at all: PN 7(2)b") < after.index("One move or more: PN 7(2)a")


class TestReferencePages:
    @pytest.mark.slow
    def test_they_are_made_from_the_code(self, tmp_path):
        """After a change of a command or of the API: python docs/write_reference.py."""
        shutil.copytree(ROOT / "docs", tmp_path / "docs")
        (tmp_path / "banzuke").symlink_to(ROOT / "banzuke")
        words = [sys.executable, str(tmp_path / "docs" / "write_reference.py")]
        paths = {"PYTHONPATH": str(ROOT), "BANZUKE_HOME": str(tmp_path), "DATABASE_URL": ""}
        subprocess.run(words, env=os.environ | paths, check=True, timeout=120)
        for name in (
            "api.md",
            "live.md",
            "reference-commands.md",
            "ja/reference-commands.md",
            "reference-api.md",
        ):
            assert (tmp_path / "docs" / name).read_text("utf-8") == (ROOT / "docs" / name).read_text(
                "utf-8"
            ), name


class TestTutorial:
    @pytest.mark.slow
    @pytest.mark.parametrize("page", ["docs/tutorial.md", "docs/ja/tutorial.md"])
    def test_it_leads_to_a_published_list(self, tmp_path, page):
        """As a reader follows it: the tables are written where the text says, the commands run in their order.

        That the first command makes the office's database is seen where the first live game is sent.
        """
        _installing, making, reporting, rating, publishing = blocks(page)
        tables = re.findall(r"```csv\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)
        home = {"BANZUKE_HOME": str(migrated(tmp_path / "office")), "DATABASE_URL": ""}
        (tmp_path / "members.csv").write_text(tables[0], "utf-8")
        run(making, tmp_path, **home)
        (tmp_path / "sakura" / "standings.csv").write_text(tables[1], "utf-8")
        (tmp_path / "april.csv").write_text(tables[2], "utf-8")
        run(reporting, tmp_path, **home)
        assert "1140" in run(rating, tmp_path, **home).stdout
        commands, serving = publishing.rsplit("\n", 2)[0], publishing.split("\n")[-2]
        assert serving == "banzuke serve"
        assert "april" in run(commands, tmp_path, **home).stdout
        run("banzuke verify sakura april", tmp_path, **home)


class TestFirstCommands:
    @pytest.mark.slow
    def test_they_run_as_printed(self, tmp_path):
        block, *_, sending = blocks("docs/commands.md")
        assert "banzuke push" in sending
        done = run(block, tmp_path)
        assert "hinoki-spring" in (tmp_path / "lists" / "changes.csv").read_text("utf-8")
        assert "［" in done.stdout or "[JCF 5(2)]" in done.stdout


#: Columns of whole numbers in arrays; waits in seconds; how alike two words are.
NO_FIGURES = {
    "columnar",
    "spark",
    "job_queue.py",
    "submission_queue.py",
    "tie_breaks.py",
}


class TestExactness:
    @pytest.mark.parametrize("layer", ["core", "rulebooks", "engine", "explanations", "exchange", "office"])
    def test_no_floating_point_and_one_rounding(self, layer):
        paths = [
            p
            for p in sorted((ROOT / "banzuke" / layer).rglob("*.py"))
            if not NO_FIGURES.intersection(p.parts)
        ]
        assert len(paths) > 5
        for path in paths:
            text = path.read_text("utf-8")
            has_exact_kinds = re.search(r"^from (decimal|fractions) import", text, re.MULTILINE)
            for node in ast.walk(ast.parse(text)):
                where = (path.name, getattr(node, "lineno", 0))
                assert not (isinstance(node, ast.Constant) and isinstance(node.value, float)), where
                assert not (isinstance(node, ast.Name) and node.id == "float"), where
                assert not (isinstance(node, ast.Call) and ast.unparse(node.func) == "round"), where
                is_division = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Div)
                assert not is_division or has_exact_kinds or _joins_paths(node), where


def _joins_paths(node: ast.BinOp) -> bool:
    """A slash between paths: one side is a string, or a name that says it is a file's."""
    sides = (ast.unparse(node.left), ast.unparse(node.right))
    return any(re.search(r"['\"]|folder|[Pp]ath|stage|out|copy|name", side) for side in sides)
