"""What commands share that ask an office over its API: its address, the key, and how failures are told."""

from __future__ import annotations

import os
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from banzuke.cli.command import NO, REFUSED, leave
from banzuke.cli.output import complain, text
from banzuke.client.connection import AddressError, AwayError, RefusedByOfficeError, pool_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.client.connection import Pool

KEY = "BANZUKE_KEY"
KeyOption = Annotated[
    Path | None,
    typer.Option("--key-file", metavar="FILE", exists=True, dir_okay=False, help=text("option-key-file")),
]


def pool_or_exit(office: str, word: str) -> Pool:
    """The pool of an office; the command ends where that is no address."""
    try:
        return pool_at(office, word)
    except AddressError as error:
        leave(text("office-address", address=error))


def key_of(path: Path | None) -> str:
    """The key in a file, else that of the environment; blank for none."""
    return (path.read_text("utf-8") if path else os.environ.get(KEY, "")).strip()


@contextmanager
def told(pool: Pool) -> Iterator[None]:
    """Failures of an office told in a sentence, with an exit status."""
    try:
        yield
    except AwayError as error:
        leave(text("office-away", address=pool.office, reason=error), NO)
    except RefusedByOfficeError as error:
        complain(_why(pool, error))
        for fault in error.faults:
            complain(f"  {fault}")
        raise typer.Exit(REFUSED) from None


def _why(pool: Pool, error: RefusedByOfficeError) -> str:
    facts = {"address": pool.office, "pool": pool.word, "status": error.status, "detail": error.detail}
    if error.status == HTTPStatus.NOT_FOUND:
        return text("office-no-pool", **facts)
    if error.status in (HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN):
        return text("office-key", **facts)
    return text("office-refuses", **facts)
