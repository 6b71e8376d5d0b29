"""banzuke serve: the office on an address, until Ctrl-C."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.output import (
    NO,
    REFUSED,
    Format,
    FormatOption,
    LangOption,
    complain,
    guarded,
    language,
    print_json,
    print_line,
    text,
)
from banzuke.cli.pool_ledgers import open_or_exit
from banzuke.server.processes import PortTakenError, StoppedError, address_of, check_port, is_loopback
from banzuke.server.processes import serve as run

if TYPE_CHECKING:
    from collections.abc import Callable

HostOption = Annotated[str, typer.Option("--host", metavar="HOST", help=text("serve-host"))]
PortOption = Annotated[int, typer.Option("--port", metavar="PORT", min=1, max=65535, help=text("serve-port"))]


@guarded
def serve(
    host: HostOption = "127.0.0.1",
    port: PortOption = 8000,
    output_format: FormatOption = Format.TEXT,
    lang: LangOption = None,
) -> None:
    """Serve the office until Ctrl-C."""
    language(lang)
    check_or_exit(host, port)
    open_or_exit()
    run_or_exit(host, port, lambda: _say(address_of(host, port), output_format))


def check_or_exit(host: str, port: int) -> None:
    """End with the reason where the office cannot be served, or would answer to nobody."""
    if not is_loopback(host) and not os.environ.get("BANZUKE_HOSTS", "").split():
        complain(text("serve-hosts", host=host))
        raise typer.Exit(REFUSED)
    try:
        check_port(host, port)
    except PortTakenError as error:
        complain(text("serve-taken", host=host, port=port, reason=error))
        raise typer.Exit(REFUSED) from None


def run_or_exit(host: str, port: int, opened: Callable[[], None]) -> None:
    """Serve; a part that ends by itself is one line and an exit status."""
    try:
        run(host, port, opened)
    except StoppedError as error:
        complain(text("serve-stopped", process=error))
        raise typer.Exit(NO) from None


def _say(address: str, output_format: Format) -> None:
    """Where the office is, and how its first officer comes in."""
    from django.contrib.auth import get_user_model

    from banzuke.office.administration.setup_code import first_code

    code = "" if get_user_model().objects.exists() else first_code()
    if output_format is Format.JSON:
        print_json({"address": address, "first_officer_code": code or None})
        return
    print_line(text("serve-open", address=address))
    if code:
        print_line(text("serve-first", address=f"{address}office/first/?code={code}", code=code))
    print_line(text("serve-end"))
