"""banzuke demo: the examples rated, listed and explained; or served as an office, removed at the end."""

import csv
import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

import banzuke
from banzuke.cli.command import NO, command, leave
from banzuke.cli.office_data import open_or_exit
from banzuke.cli.office_server import HostOption, PortOption, check_or_exit, run_or_exit
from banzuke.cli.output import print_json, print_line, print_table, text, wants_json
from banzuke.cli.rating import (
    Engine,
    explanation_facts,
    explanation_of,
    print_explanation,
    print_summary,
    summary_facts,
)
from banzuke.engine.rating_run import rate_ledger
from banzuke.ledger.folder import GoLedger, Ledger, read_ledger
from banzuke.server.processes import address_of, until_signalled
from banzuke.words import preferred_language

#: The examples, the player of each who is explained, and the list (None: the last with games).
EXAMPLES = (
    ("us-championship-2025", "30953499", None),
    ("japan", "J004", "2025-02"),
    ("hakodate", "H26", "2025-06-five"),
    ("go-server", "harukaze", None),
)
SHOWN = 12
GO_GAMES = 6

ServeOption = Annotated[bool, typer.Option("--serve", help=text("demo-serve"))]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="DIR", help=text("demo-out"))]


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
) -> None:
    """Rate the examples and show what comes out; or serve them as an office."""
    examples = examples_folder()
    if examples is None:
        leave(text("demo-missing"), NO)
    if serve:
        serve_demo([examples / name for name, *_ in EXAMPLES], host, port)
        return
    target = out or Path(tempfile.mkdtemp(prefix="banzuke-demo-"))
    if wants_json():
        print_json([_facts(examples / name, target / name, *about) for name, *about in EXAMPLES])
        return
    for name, *about in EXAMPLES:
        _show(examples / name, target / name, *about)
    print_line(text("demo-done", out=target))
    print_line(text("demo-can-serve"))


def _facts(source: Path, out: Path, player: str, wanted: str | None) -> dict[str, object]:
    """One example for programs: the summary and one explanation; the lists are files in `out`."""
    ledger = read_ledger(source)
    summary = summary_facts(ledger.pool, rate_ledger(ledger, out), out, Engine.REFERENCE)
    return summary | {"explanation": explanation_facts(explanation_of(ledger, player, wanted, GO_GAMES))}


def _show(source: Path, out: Path, player: str, wanted: str | None) -> None:
    """One example: the summary, the last list, one explanation."""
    ledger = read_ledger(source)
    print_summary(ledger.pool, rate_ledger(ledger, out), out)
    if isinstance(ledger, GoLedger):
        _show_standings(ledger, out)
    else:
        _show_lists(ledger, out)
    print_explanation(explanation_of(ledger, player, wanted, GO_GAMES))


def _names(ledger: Ledger) -> dict[str, str]:
    """Names by id, the native ones for a Japanese reader."""
    if isinstance(ledger, GoLedger) or preferred_language() == "en":
        return {p.player_id: p.name for p in ledger.players}
    return {p.player_id: p.name_native or p.name for p in ledger.players}


def _show_lists(ledger: Ledger, out: Path) -> None:
    """The top of the last list, a table a speed."""
    with (out / "lists.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    names, last = _names(ledger), rows[-1]["list"]
    for speed in ("standard", "rapid", "blitz", ""):
        ranked = sorted(
            (r for r in rows if r["list"] == last and r["speed"] == speed),
            key=lambda r: (-int(r["rating"]), r["player_id"]),
        )
        table = [
            (place, names[r["player_id"]], r["player_id"], r["rating"], _signed(r["change"]), r["games"])
            for place, r in enumerate(ranked[:SHOWN], 1)
        ]
        if table:
            title = text("demo-top", list=last, shown=len(table), all=len(ranked))
            columns = (text("rank"), text("name"), text("player"))
            numbers = (text("rating"), text("change"), text("games"))
            print_table(f"{title} {speed}", (*columns, *numbers), table, numbers=3)


def _signed(change: str) -> str:
    return f"+{change}" if change and int(change) > 0 else change


def _show_standings(ledger: Ledger, out: Path) -> None:
    with (out / "standings.csv").open(encoding="utf-8", newline="") as stream:
        rows = [r for r in csv.DictReader(stream) if r["points"]]
    names = _names(ledger)
    ranked = sorted(rows, key=lambda r: (-int(r["points"]), r["player_id"]))[:SHOWN]
    table = [
        (place, names[r["player_id"]], r["rank"], r["points"], r["rated_games"])
        for place, r in enumerate(ranked, 1)
    ]
    print_table(
        "", (text("rank"), text("name"), text("go-rank"), text("points"), text("games")), table, numbers=2
    )


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
