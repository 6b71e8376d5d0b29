"""banzuke serve: the office on an address, until Ctrl-C."""

import os
from collections.abc import Callable
from typing import Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.office_data import open_or_exit
from banzuke.cli.output import answer, complain, text
from banzuke.core.registry import BOOKS
from banzuke.server.environment import HIGHEST_PORT, MOST_WORKERS
from banzuke.server.office_folder import home_of
from banzuke.server.processes import (
    WORKERS,
    PortTakenError,
    StoppedError,
    address_of,
    check_port,
    is_loopback,
    public_address,
)
from banzuke.server.processes import serve as run

HostOption = Annotated[str, typer.Option("--host", metavar="HOST", help=text("serve-host"))]
PortOption = Annotated[
    int, typer.Option("--port", metavar="PORT", min=1, max=HIGHEST_PORT, help=text("serve-port"))
]
WorkersOption = Annotated[
    int | None,
    typer.Option("--workers", metavar="NUMBER", min=1, max=MOST_WORKERS, help=text("serve-workers")),
]


@command
def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    workers: WorkersOption = None,
) -> None:
    """Serve the office until Ctrl-C."""
    check_or_exit(host, port)
    len(BOOKS)  # one that is broken must end the command, not every process of the office
    home = home_of(os.environ)
    if not os.environ.get("DATABASE_URL") and not (home / "office.db").exists():
        complain(text("serve-making", home=home))  # it takes seconds
    open_or_exit()
    addresses = public_address(host, port), address_of(host, port)
    run_or_exit(host, port, lambda: _print_address(*addresses), workers)


def check_or_exit(host: str, port: int) -> None:
    """End with the reason where the office cannot be served, or would answer to nobody."""
    if not is_loopback(host) and not os.environ.get("BANZUKE_HOSTS", "").split():
        leave(text("serve-hosts", host=host))
    try:
        check_port(host, port)
    except PortTakenError as error:
        leave(text("serve-taken", host=host, port=port, reason=error))


def run_or_exit(host: str, port: int, opened: Callable[[], None], workers: int | None = None) -> None:
    """Serve; a part that ends by itself is one line and an exit status."""
    workers = workers or int(os.environ.get("BANZUKE_WORKERS") or WORKERS)
    try:
        run(host, port, workers, opened)
    except StoppedError as error:
        leave(text("serve-stopped", process=error), NO)


def _print_address(address: str, listening: str) -> None:
    """Print the office's address, where it listens for a proxy, and how its first officer signs in."""
    from banzuke.office.administration.setup_code import first_code
    from banzuke.office.administration.users import has_people

    code = "" if has_people() else first_code()
    first = [text("serve-first", address=f"{address}office/first/?code={code}", code=code)] if code else []
    facts = {"address": address, "listening": listening, "first_officer_code": code or None}
    behind = [text("serve-behind", listening=listening)] if listening != address else []
    answer(facts, text("serve-open", address=address), *behind, *first, text("serve-end"))
