"""banzuke demo: the examples rated, listed and explained; or served as an office, removed at the end."""

import os
import shlex
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

import banzuke
from banzuke.cli.command import NO, command, leave
from banzuke.cli.last_list import names_of
from banzuke.cli.office_data import open_or_exit
from banzuke.cli.office_server import HostOption, PortOption, check_or_exit, run_or_exit
from banzuke.cli.output import answer, print_json, print_line, print_table, text, wants_json
from banzuke.cli.rating import (
    Engine,
    explanation_facts,
    explanation_of,
    print_explanation,
    print_summary,
    summary_facts,
)
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import read_ledger
from banzuke.server.processes import address_of, until_signalled

#: The examples, the player of each who is explained, and the list (None: the last with games).
EXAMPLES = (
    ("us-championship-2025", "30953499", None),
    ("japan", "J004", "2025-02"),
    ("hakodate", "H26", "2025-06-five"),
    ("go-server", "harukaze", None),
)
GO_GAMES = 6
#: The example, player and list of the command that is proposed in the end.
NEXT = ("japan", "J002", "2025-02")

ServeOption = Annotated[bool, typer.Option("--serve", help=text("demo-serve"))]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="DIR", help=text("demo-out"))]

CopyOption = Annotated[Path | None, typer.Option("--copy", metavar="DIR", help=text("demo-copy"))]


def examples_folder() -> Path | None:
    """Where the example ledgers are: inside the installed package, or beside it in a clone."""
    package = Path(banzuke.__file__).parent
    return next((p for p in (package / "examples", package.parent / "examples") if p.is_dir()), None)


@command
def demo(
    out: OutOption = None,
    serve: ServeOption = False,
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    copy: CopyOption = None,
) -> None:
    """Rate the examples and show what comes out; or serve them as an office."""
    examples = examples_folder()
    if examples is None:
        leave(text("demo-missing"), NO)
    if copy is not None:
        if copy.exists():
            leave(text("book-dir-there", dir=copy))
        shutil.copytree(examples, copy)
        answer({"dir": str(copy)}, text("demo-copied", dir=copy))
        return
    if serve:
        serve_demo([examples / name for name, *_ in EXAMPLES], host, port)
        return
    target = out or Path(tempfile.mkdtemp(prefix="banzuke-demo-"))
    if wants_json():
        print_json([_facts(examples / name, target / name, *about) for name, *about in EXAMPLES])
        return
    for name, *about in EXAMPLES:
        _show(examples / name, target / name, *about)
    print_line(text("demo-done", out=target, command=_next_command(examples)))
    print_line(text("demo-can-serve"))


def _next_command(examples: Path) -> str:
    """A command that explains another player of an example."""
    name, player, wanted = NEXT
    folder = examples / name
    if folder.is_relative_to(Path.cwd()):
        folder = folder.relative_to(Path.cwd())
    return f"banzuke explain {shlex.quote(str(folder))} {player} --list {wanted}"


def _facts(source: Path, out: Path, player: str, wanted: str | None) -> dict[str, object]:
    """One example for programs: the summary and one explanation; the lists are files in `out`."""
    ledger = read_ledger(source)
    summary = summary_facts(ledger.pool, rate_ledger(ledger, out), out, Engine.REFERENCE)
    return summary | {"explanation": explanation_facts(explanation_of(ledger, player, wanted, GO_GAMES))}


def _show(source: Path, out: Path, player: str, wanted: str | None) -> None:
    """One example: the summary, the last list, one explanation."""
    ledger = read_ledger(source)
    print_summary(ledger.pool, rate_ledger(ledger, out), out, names_of(ledger))
    print_explanation(explanation_of(ledger, player, wanted, GO_GAMES))


def serve_demo(examples: Sequence[Path], host: str, port: int) -> None:
    """Fill an office in a folder of its own, serve it until Ctrl-C or SIGTERM, and remove it."""
    check_or_exit(host, port)
    with until_signalled(), tempfile.TemporaryDirectory(prefix="banzuke-demo-office-") as home:
        os.environ["BANZUKE_HOME"] = home
        os.environ.pop("DATABASE_URL", None)
        open_or_exit()
        from banzuke.server.demo_office import fill

        if not wants_json():
            print_line(text("demo-filling"))
        users = [user._asdict() for user in fill(examples)]
        run_or_exit(host, port, lambda: _print_office(address_of(host, port), users))
    if not wants_json():
        print_line(text("demo-gone"))


def _print_office(address: str, users: Sequence[Mapping[str, str]]) -> None:
    if wants_json():
        print_json({"address": address, "users": users})
        return
    print_line(text("serve-open", address=address))
    columns = (text("demo-user"), text("demo-password"))
    print_table(text("demo-users"), columns, [(user["name"], user["password"]) for user in users], numbers=2)
    print_line(text("serve-end"))
