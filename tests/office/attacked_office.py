"""An office whose past somebody changes who can write its database, and maybe signs with its key, too.

There are two who find it: `banzuke verify --all` at the office, and a club that has kept one mail and runs
`banzuke witness` against the office's pages.
"""

from __future__ import annotations

import hashlib
import tempfile
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urlsplit

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.test import Client
from office.opened_tables import opened
from office.published_office import CHIEF, EXAMPLES, TODAY, after, inquiry, names, published

from banzuke.client import log_witness
from banzuke.client.api_client import RefusedByOfficeError
from banzuke.client.log_witness import LogConflictError, LogWitness
from banzuke.database import models
from banzuke.database.models import Role
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.journal import note
from banzuke.office.lists.corrections import carry_out, dismiss
from banzuke.office.lists.office_verification import verify_office
from banzuke.office.lists.publishing import publish
from banzuke.office.office_key import office_key
from banzuke.office.transparency import log_checkpoints
from banzuke.office.transparency.book_hashes import EntryRange, book_sha256, persons_sha256
from banzuke.office.transparency.entry_signatures import entry_signature
from banzuke.office.transparency.list_contents import content_of
from banzuke.office.transparency.list_trees import TreeHashes, persons_of, stored_hashes, tree_hashes
from banzuke.office.transparency.log_checkpoints import kept_path, log_keys, signed_log
from banzuke.office.transparency.logged_rows import _hash, _sha256, closed_models, log_new_rows
from banzuke.office.transparency.office_log import facts_of_list, files_of
from banzuke.office.transparency.player_salts import known_salts
from banzuke.transparency.checkpoints import notes_within
from banzuke.transparency.list_leaves import split_content
from banzuke.transparency.log_entries import ListEntry, RecordsEntry, RulesEntry, entry_body, known_entry
from banzuke.transparency.proof_error import ProofError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

ADDRESS = "http://testserver/"
#: What the club is told where the office itself refuses to sign its log, with the answer's status.
UNSIGNED, NOT_NOW = "nothing-is-signed", 503


class Office(NamedTuple):
    """The office: its pool, its lists in order, its log and their trees, and the mail and key that a club has kept."""

    pool: models.Pool
    lists: list[models.RatingList]
    log: frozenset[str]
    trees: dict[int, TreeHashes]
    mail: bytes
    keys: list


class Found(NamedTuple):
    """What `verify --all` says, by code, and what the club's witness says."""

    verify: tuple[str, ...]
    club: str


def attacked_office() -> Office:
    """Lists, a revision and a preliminary one, decisions, a payment, a report, and what no list has yet."""
    Role.objects.create(user=get_user_model().objects.create_user("chief"), kind=Role.Kind.ADMINISTRATOR)
    pool = published("japan", 3)
    carry_out(inquiry(pool, after(pool, names(pool)[2], 1)), CHIEF, "wrong", TODAY)
    publish(pool, names(pool)[4], CHIEF, TODAY, preliminary_until=TODAY)
    dismiss(inquiry(pool, after(pool, names(pool)[3], 1)), CHIEF, "no")
    receive(
        pool,
        [("a.trf", (EXAMPLES / "hinoki-spring.trf").read_bytes())],
        {},
        Sender(CHIEF, None, "C01", "upload"),
    )
    now = datetime.now(UTC)
    bill = models.Invoice.objects.create(
        pool=pool, number=1, club_id="C01", window="2025-01", amount=900, lines=[], at=now, author="chief"
    )
    bill.payments.create(day=TODAY, amount=900, at=now, author="chief")
    note(CHIEF, "sign-in")
    row = models.Game.objects.filter(pool=pool).last()
    row.pk, row.entry = (
        None,
        models.Entry.objects.create(pool=pool, at=now, author="chief", act="add-games"),
    )
    row.save(force_insert=True)
    log_new_rows()
    mail = b"Subject: x\n\nPublished.\n\n" + signed_log().note
    note(CHIEF, "sign-out")
    lists = list(pool.lists.order_by("number"))
    log = frozenset(models.LogEntry.objects.values_list("body", flat=True))
    trees = {each.pk: stored_hashes(each) for each in lists}
    return Office(pool, lists, log, trees, mail, log_keys())


def play(office: Office, change: Callable[[Office], None], *, with_key: bool) -> Found:
    """What is found of a change, which is undone again; with the key, the log is made to fit and is signed.

    Then `verify --all` is asked only where the club finds nothing.
    """
    kept = kept_path().read_bytes()
    try:
        with transaction.atomic():
            with opened_by_attacker(change):
                change(office)
            forget_caches()
            if with_key:
                with opened_by_attacker(change):
                    fit_log(office)
                kept_path().unlink()
                forget_caches()
                signed_log()
            club = what_the_club_finds(office)
            found = Found(() if with_key and club else what_verify_finds(), club)
            transaction.set_rollback(True)
    finally:
        kept_path().write_bytes(kept)
        forget_caches()
    return found


@contextmanager
def opened_by_attacker(change: Callable[[Office], None]) -> Iterator[None]:
    """The tables opened and closed again; a change of the triggers themselves leaves them as it makes them."""
    if getattr(change, "is_of_triggers", False):
        yield
    else:
        with opened():
            yield


def forget_caches() -> None:
    """What a process of the office has read of the log."""
    log_checkpoints._trees.clear()
    log_checkpoints._signed.clear()


def what_verify_finds() -> tuple[str, ...]:
    found = verify_office()
    codes = [each.code for each in found.faults]
    for each in found.bad:
        codes += [f"list-{figure.name}" for figure in each.record]
        codes += ["list-rows"] * bool(each.differences)
        codes += ["list-lines"] * bool(each.line_differences)
        codes += ["list-workings"] * bool(each.workings)
        codes += ["list-hash"] * (each.sha256 != each.published.sha256)
    return tuple(dict.fromkeys(codes))


def what_the_club_finds(office: Office) -> str:
    """By the command's own witness, on the office's own pages; blank: all agrees."""
    with tempfile.TemporaryDirectory() as folder, pages_for_download():
        try:
            LogWitness(ADDRESS, Path(folder)).look(office.keys, notes_within(office.mail))
        except LogConflictError as error:
            return error.code
        except RefusedByOfficeError as error:
            return UNSIGNED if error.status == NOT_NOW else f"answers {error.status}"
        except ProofError as error:
            return error.code
    return ""


@contextmanager
def pages_for_download() -> Iterator[None]:
    """The witness asks the pages in this process, as they are in the attacker's transaction."""
    client, before = Client(), log_witness.download

    def download(address: str, most: int) -> bytes:
        parts = urlsplit(address)
        answer = client.get(parts.path + (f"?{parts.query}" if parts.query else ""))
        if answer.status_code != 200:
            raise RefusedByOfficeError(answer.status_code, "", [])
        return answer.content[:most]

    log_witness.download = download
    try:
        yield
    finally:
        log_witness.download = before


def fit_log(office: Office) -> None:
    """Make every entry of the log fit what stands in the database now, sign it, and number the entries anew."""
    untils: dict[str, int] = {}
    for number, row in enumerate(models.LogEntry.objects.order_by("number")):
        body = fitting_body(office, row, untils) if row.body in office.log else row.body
        models.LogEntry.objects.filter(pk=row.pk).update(
            number=number, body=body, signature=entry_signature(office_key(), number, body)
        )


def fitting_body(office: Office, row: models.LogEntry, untils: dict[str, int]) -> str:
    said = known_entry(row.body)
    try:
        if isinstance(said, ListEntry) and row.list is not None:
            said = fitting_list(office, row, said, untils)
        elif isinstance(said, RulesEntry):
            pool = models.Pool.objects.filter(slug=said.pool).first()
            said = said if pool is None else fitting_rules(said, pool)
        elif isinstance(said, RecordsEntry):
            said = said._replace(sha256=fitting_rows(row))
        return row.body if said is None else entry_body(said)
    except Exception:  # noqa: BLE001 - what cannot be made to fit stays as it is
        return row.body


def fitting_rules(said: RulesEntry, pool: models.Pool) -> RulesEntry:
    files = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in files_of(pool).items()}
    return said._replace(files=files)


def fitting_list(office: Office, row: models.LogEntry, said: ListEntry, untils: dict[str, int]) -> ListEntry:
    listed = row.list
    split = split_content(content_of(listed) or b"")
    tree = stored_hashes(listed)
    if tree == office.trees.get(listed.pk):  # it is not what was changed, and fits the list again
        tree = tree_hashes(listed, split, known_salts(listed.pool), persons_of(listed))
    models.ListTree.objects.filter(list=listed).update(
        leaves=b"".join(tree.leaves), persons=b"".join(tree.persons)
    )
    of = EntryRange(listed.pool, untils.get(said.pool, 0), listed.entry_id)
    untils[said.pool] = max(untils.get(said.pool, 0), listed.entry_id)
    return said._replace(
        **facts_of_list(listed),
        players=len(tree.leaves),
        root=tree.root,
        book=book_sha256(of, bytes(row.secret)),
        persons=persons_sha256(of, bytes(row.secret)),
    )


def fitting_rows(row: models.LogEntry) -> str:
    logged = models.LoggedRows.objects.get(entry=row)
    for name, told in logged.tables.items():
        told["sha256"] = _hash(closed_models()[name], told)
    logged.save()
    return _sha256(logged.tables)


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)
