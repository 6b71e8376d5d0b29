"""banzuke demo --serve: the examples as an office in the browser, thrown away at the end."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING

from banzuke.cli.office_server import check_or_exit, run_or_exit
from banzuke.cli.output import print_json, print_line, print_table, text, wants_json
from banzuke.cli.pool_ledgers import open_or_exit
from banzuke.server.demo_office import fill
from banzuke.server.processes import address_of, ended_by_signals

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from banzuke.server.demo_office import DemoUser


def serve_demo(examples: Sequence[Path], host: str, port: int) -> None:
    """Fill an office in a folder of its own, serve it until Ctrl-C or SIGTERM, and remove it."""
    check_or_exit(host, port)
    with ended_by_signals(), tempfile.TemporaryDirectory(prefix="banzuke-demo-office-") as home:
        os.environ["BANZUKE_HOME"] = home
        os.environ.pop("DATABASE_URL", None)
        open_or_exit()
        if not wants_json():
            print_line(text("demo-filling"))
        users = fill(examples)
        run_or_exit(host, port, lambda: _say(address_of(host, port), users))
    if not wants_json():
        print_line(text("demo-gone"))


def _say(address: str, users: Sequence[DemoUser]) -> None:
    if wants_json():
        print_json({"address": address, "users": [user._asdict() for user in users]})
        return
    print_line(text("serve-open", address=address))
    columns = (text("demo-user"), text("demo-password"))
    print_table(text("demo-users"), columns, [(user.name, user.password) for user in users], numbers=2)
    print_line(text("serve-end"))
