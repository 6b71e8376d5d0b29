"""The command `push`: a tournament's report from the laptop to the office, and what became of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Any

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.office_clients import KeyOption, failures_of_office, key_of, pool_or_exit, say_waiting
from banzuke.cli.output import print_json, print_line, text, wants_json
from banzuke.client.api_client import ApiClient, Pool, RefusedByOfficeError
from banzuke.words import preferred_language

#: States after which the report is not on its way any more.
_OVER = ("returned", "refused", "withdrawn")


@command
def push(
    files: Annotated[list[Path] | None, typer.Argument(metavar="FILE", help=text("push-files"))] = None,
    office: Annotated[str, typer.Option("--office", metavar="URL", help=text("push-office"))] = "",
    word: Annotated[str, typer.Option("--pool", metavar="POOL", help=text("push-pool"))] = "",
    report: Annotated[
        int | None, typer.Option("--report", min=1, metavar="N", help=text("push-report"))
    ] = None,
    club: Annotated[str, typer.Option("--club", metavar="ID", help=text("push-club"))] = "",
    key_file: KeyOption = None,
) -> None:
    """Send a report to an office, or ask what became of one."""
    key = key_of(key_file)
    if not key:
        leave(text("push-no-key"))
    if bool(files) == (report is not None):
        leave(text("push-what"))
    pool, lang = pool_or_exit(office, word), preferred_language()
    client = ApiClient(pool, key, waiting=say_waiting)
    with failures_of_office(pool), _not_found(pool):
        if report is not None:
            answer = client.get(f"reports/{report}", lang=lang)
        else:
            sent = [(path.name, path.read_bytes()) for path in files or ()]
            fields = {"club": club} if club else {}
            answer = client.post_files(f"reports?lang={lang}", sent, fields)
    if not _is_report(answer):
        leave(text("push-no-office", address=pool.office))
    _print_answer(pool, answer)
    if answer["state"] in _OVER or answer["turn"] == "club":
        raise typer.Exit(NO)


@contextmanager
def _not_found(pool: Pool) -> Iterator[None]:
    """End the command with a sentence where there is no such pool or report."""
    try:
        yield
    except RefusedByOfficeError as error:
        if error.status != HTTPStatus.NOT_FOUND:
            raise
        leave(text("push-not-found", address=pool.office, pool=pool.word, detail=error.detail))


def _is_report(answer: dict[str, Any]) -> bool:
    """Whether it is what an office answers of a report; another program may answer whatever it likes."""
    words, problems = ("title", "says", "why", "state", "turn"), answer.get("problems")
    return (
        isinstance(answer.get("report"), int)
        and all(isinstance(answer.get(word), str) for word in words)
        and isinstance(problems, list)
        and all(isinstance(one, dict) and isinstance(one.get("text"), str) for one in problems)
    )


def _print_answer(pool: Pool, answer: dict[str, Any]) -> None:
    """What the office says of the report: where it stands, what is missing, its page, how to ask again."""
    page = f"{pool.office}/office/{pool.word}/inbox/{answer['report']}/"
    if wants_json():
        print_json(answer | {"page": page})
        return
    print_line(text("push-report-line", report=answer["report"], title=answer["title"], says=answer["says"]))
    if answer["why"]:
        print_line(text("push-why", why=answer["why"]))
    for problem in answer["problems"]:
        print_line(f"- {problem['text']}")
    print_line(text("push-page", page=page))
    again = f"banzuke push --report {answer['report']} --office {pool.office} --pool {pool.word}"
    print_line(text("push-again", command=again))
