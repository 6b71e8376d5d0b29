"""Carrying an erasure out: in one transaction all of it, or nothing; then no byte of it is left in the files.

It is the one act that opens closed tables (`database.append_only.opened`) to change what somebody may have
seen. What was taken is told by a row of a closed table, by the journal and by the office's log.
"""

import json
import time
from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Length
from django.utils.timezone import localdate

from banzuke.database.append_only import CLOSED, lock_tables, opened
from banzuke.database.book_reader import rules_of
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import (
    Contact,
    ErasedFile,
    ErasedRow,
    Erasure,
    FoundUpTo,
    GoPlayer,
    Inquiry,
    JournalEntry,
    ListRow,
    LiveRefusal,
    NameWord,
    NearWord,
    NextPool,
    Player,
    PlayerSalt,
    Pool,
    QueuedGame,
    RegisterFile,
    ReportFile,
    Working,
)
from banzuke.database.write_turns import writers_turn
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.exchange.name_likeness import spelt_words, words_with_marks
from banzuke.office import noted_ids, player_search
from banzuke.office.erased_ids import hash_of_id, id_of_hash
from banzuke.office.erasure.erased_columns import BLANKED, FREE_TEXTS, GO_IDS
from banzuke.office.erasure.erased_files import overwriting, wipe
from banzuke.office.erasure.erased_lists import ListHashes
from banzuke.office.erasure.erasure_plan import (
    ErasurePlan,
    plan_erasure,
    rows_of,
    waits_error,
    with_what_came,
)
from banzuke.office.erasure.personal_words import known_words
from banzuke.office.erasure.redactor import Redactor
from banzuke.office.erasure.stand_in_rows import ListChanges, erased_rows, list_changes, row_columns
from banzuke.office.journal import Actor, note
from banzuke.office.lists.staleness import (
    last_list_number,
    lock_if_current,
    lock_publications,
    refusal_of_entry,
)
from banzuke.office.merged_ids import kept_id, merged_into
from banzuke.office.noted_ids import NotedErasure
from banzuke.office.refusals import AlreadyErasedError, NobodyToEraseError
from banzuke.office.transparency.book_hashes import EntryRange, make_salts
from banzuke.office.transparency.erasure_hashes import hashes_in_log
from banzuke.office.transparency.logged_rows import closed_models, destroy_secrets, enter_new_rows
from banzuke.office.transparency.office_log import append_erasure, logged_until
from banzuke.office.transparency.text_salts import BookRow, forget_text_salts
from banzuke.transparency.list_leaves import PERSON

ERASE = "erase-person"
#: The tables whose rows are changed, as the database names them; and where a number takes an id's place.
_TABLES = {table.lower() for table in (*FREE_TEXTS, *BLANKED)} | {"player", "goplayer", "listrow", "working"}
CHANGED = sorted((_TABLES | {"reportfile"}) & CLOSED.keys())
CHANGED_WITH_IDS = sorted({*CHANGED, *({table.lower() for table in GO_IDS} & CLOSED.keys())})

#: How often the tables are tried to be locked before they are waited for, and the pause between in seconds.
ATTEMPTS, PAUSE = 20, 1


class Erased(NamedTuple):
    """What was done: the ids, how many rows of the book, and whether no byte is left in the database's files.

    `bytes_gone` is None where that is known only after the transaction.
    """

    ids: tuple[str, ...]
    rows: int
    files: int
    bytes_gone: bool | None


class RowsChanged(NamedTuple):
    """How many rows of the book were changed, and how many files lost their bytes."""

    rows: int
    files: int


def erase(pool: Pool, player_id: str, actor: Actor, progress: Progress = no_progress) -> Erased:
    """Erase a person under all ids. Call it outside a transaction, unless the caller wipes the files.

    Raises NobodyToEraseError, AlreadyErasedError; ErasureWaitsError while something that names the person is
    not decided on; ErasureChangesListError; MovedOnError where the book went on meanwhile; and Django's
    ProgrammingError where the office's role may not open tables (`database.roles.is_forbidden`).
    """
    plan = plan_erasure(pool, player_id)
    if plan.waits:
        raise waits_error(plan)
    with overwriting():
        done = carry_out(plan, actor, progress)
    gone = None if connection.in_atomic_block else wipe([pool])
    return Erased(plan.ids_after, done.rows, done.files, gone)


def note_again(erasures: Iterable[Erasure]) -> None:
    """Note those that the office's folder does not have: of a backup, or of an erasure that was cut short."""
    for erasure in erasures:
        pool, player = erasure.pool.slug, erasure.player_id
        if not any(each[:2] == (pool, player) for each in noted_ids.noted_ids()):
            day = erasure.day.isoformat()
            noted_ids.note_ids([NotedErasure(pool, player, day, erasure.former or "")])


def erasures_of_person(pool: Pool, player_id: str) -> QuerySet[Erasure]:
    """What was noted when a person was erased, a row for each id."""
    kept = kept_id(pool, player_id)
    of = Q(player_id__in=[kept, *merged_into(pool, [kept])]) | Q(former=hash_of_id(pool, player_id))
    return Erasure.objects.filter(of, pool=pool).order_by("pk")


def erase_noted(actor: Actor) -> int:
    """Erase again whom an older backup brought back, in the transaction of its restoring; how many ids."""
    count = 0
    for noted in list(noted_ids.noted_ids()):
        pool = Pool.objects.filter(slug=noted.pool).first()
        if pool is not None:
            try:
                former = id_of_hash(pool, noted.former)
                plan = (
                    plan_erasure(pool, former, noted.player) if former else plan_erasure(pool, noted.player)
                )
            except (NobodyToEraseError, AlreadyErasedError):
                continue
            with overwriting():
                carry_out(plan, actor)
            count += len(plan.ids)
    return count


def carry_out(plan: ErasurePlan, actor: Actor, progress: Progress = no_progress) -> RowsChanged:
    """Do what was planned, whatever waits.

    Raises ErasureWaitsError where something came meanwhile that is to be decided on.
    """
    pool, is_go = plan.pool, rules_of(plan.pool).is_go
    last_list = last_list_number(pool)
    players = {} if is_go else erased_rows(pool, plan.ids)
    changes = [] if is_go else list(list_changes(pool, plan.ids, players, progress))
    tables = CHANGED_WITH_IDS if plan.number else CHANGED
    with writers_turn(), transaction.atomic():
        _hold(plan, last_list, tables)
        with opened(connection, tables):
            erasing = _Erasing(with_what_came(plan), actor)
            erasing.change_rows(players, changes)
            erasing.change_texts()
            erasing.take_files()
        erasing.take_refusals()
        erasing.forget_words()
        return erasing.tell()


def _hold(plan: ErasurePlan, last_list: int, tables: Iterable[str]) -> None:
    """Lock the pool, as whoever writes does first, and then the tables; let both go while others have one.

    Raises MovedOnError where the book went on meanwhile, or a list after that of this number was published.
    """
    for attempt in range(1, ATTEMPTS + 1):
        mark = transaction.savepoint()
        lock_publications(plan.pool)  # whoever publishes has tables, and wants the pool last
        if not lock_if_current(plan.pool, plan.position) or last_list_number(plan.pool) != last_list:
            raise refusal_of_entry(plan.pool.entries.latest("pk"))
        if lock_tables(connection, tables) or attempt == ATTEMPTS:
            transaction.savepoint_commit(mark)
            return
        transaction.savepoint_rollback(mark)
        time.sleep(PAUSE)


class _Erasing:
    """An erasure under way."""

    def __init__(self, plan: ErasurePlan, actor: Actor) -> None:
        self._plan, self._actor, self._pool = plan, actor, plan.pool
        self._of = Q(player_id__in=plan.ids)
        self._words = known_words(plan.pool, plan.ids)
        self._counts: dict[str, dict[str, Any]] = {}
        self._hashes = ListHashes(plan.pool, plan.texts)
        self._named = [BookRow(text.table.lower(), text.row) for text in plan.texts]
        self._logged = EntryRange(plan.pool, 0, logged_until(plan.pool))
        self._before = hashes_in_log(self._logged, plan.ids, self._named)
        changed = CHANGED_WITH_IDS if plan.number else CHANGED
        self._uncovered = destroy_secrets(
            closed_models().keys() & {*changed, *(text.table.lower() for text in plan.texts)}
        )
        self._entry = open_entry(plan.pool, Act(actor.name, ERASE))

    def change_rows(self, players: dict[int, Any], changes: Iterable[ListChanges]) -> None:
        """The rows that are of the person."""
        pool = self._pool
        for number, row in players.items():
            cells = row_columns(row)
            Player.objects.filter(pk=number).update(**cells)
            self._count("Player", cells, 1)
        for player, after in zip(self._plan.ids, self._plan.ids_after, strict=True):
            rows = GoPlayer.objects.filter(pool=pool, player_id=player).update(name=after)
            self._count("GoPlayer", ["name"], rows)
            of_lists = ListRow.objects.filter(list__pool=pool, player_id=player)
            blank = dict.fromkeys(PERSON, "") | {"name": player}
            self._count("ListRow", blank, of_lists.update(**blank))
        for change in changes:
            of_list = ListRow.objects.filter(list=change.published)
            for (speed, player), of_person in change.rows.items():
                of_list.filter(speed=speed, player_id=player).update(**of_person)
            workings = Working.objects.filter(list=change.published)
            for (speed, player), found in change.workings.items():
                workings.filter(speed=speed, player_id=player).update(calculation=found)
            self._count("Working", ["calculation"], len(change.workings))
        for table, blanked in BLANKED.items():
            self._count(table, blanked, rows_of(pool, table).filter(self._of).update(**blanked))
        if self._plan.number:
            self._put_number()
        for player in self._plan.ids_after:
            Contact.objects.create(entry=self._entry, pool=pool, player_id=player, by_id_only=True)

    def _put_number(self) -> None:
        """The number in the place of the id, wherever it stands in a column of its own."""
        pool, player, number = self._pool, self._plan.player, self._plan.number
        for table, columns in GO_IDS.items():
            for column in columns:
                rows = rows_of(pool, table).filter(**{column: player})
                self._count(table, [column], rows.update(**{column: number}))
        NextPool.objects.filter(pool=pool, in_force=None).delete()  # whoever rates by other rules has the id

    def change_texts(self) -> None:
        """The texts in which the person is named, and the hashes of what these were part of."""
        for change in self._plan.texts:
            rows_of(self._pool, change.table).filter(pk=change.row).update(**change.cells)
            self._count(change.table, change.cells, 1)
        for player in self._plan.ids_after:  # who wrote of a player is the player, whatever name was given
            written = Inquiry.objects.filter(pool=self._pool, objection__player_id=player)
            self._count("Inquiry", ["asked_by"], written.update(asked_by=player))
        for before, after in self._hashes.changed_records():
            for act in JournalEntry.objects.filter(pool=self._pool, what__has_key="records"):
                if before in json.dumps(act.what):
                    records = [after if each == before else each for each in act.what["records"]]
                    JournalEntry.objects.filter(pk=act.pk).update(what=act.what | {"records": records})

    def take_refusals(self) -> None:
        """Why programs were refused that named the person, and games that were refused so."""
        redactor = Redactor(self._words, "")
        refused = QueuedGame.objects.filter(pool=self._pool).exclude(refused=None)
        for rows, column in ((LiveRefusal.objects.filter(pool=self._pool), "fault"), (refused, "game")):
            rows.filter(pk__in=[row.pk for row in rows if redactor.is_in(getattr(row, column))]).delete()

    def take_files(self) -> None:
        """The bytes of the reports' files, and registers that wait to be taken over."""
        self._sizes = dict(
            ReportFile.objects.filter(pk__in=[file.pk for file in self._plan.files])
            .annotate(size=Length("data"))
            .values_list("pk", "size")
        )
        ReportFile.objects.filter(pk__in=self._sizes).update(data=b"")
        registers = RegisterFile.objects.filter(pool=self._pool, data__isnull=False)
        self._count("RegisterFile", ["data"], registers.update(data=None))
        self._count("ReportFile", ["data"], len(self._sizes))

    def forget_words(self) -> None:
        """What the person was found by, the salts, and the accounts."""
        pool, plan = self._pool, self._plan
        NameWord.objects.filter(self._of, pool=pool).delete()
        player_search.index_players(pool, ((player, player, "") for player in plan.ids_after))
        words = {word for name in self._words.names for word in (*spelt_words(name), *words_with_marks(name))}
        NearWord.objects.filter(pool=pool, kind=NearWord.Kind.PLAYER, word__in=words).delete()
        FoundUpTo.objects.filter(pool=pool).update(player=0)  # others may have a word of these, too
        PlayerSalt.objects.filter(self._of, pool=pool).delete()
        forget_text_salts(pool, self._named)
        for user in plan.accounts:
            user.email = user.first_name = user.last_name = ""
            user.is_active = False
            user.save(update_fields=["email", "first_name", "last_name", "is_active"])
        EmailAddress.objects.filter(user__in=plan.accounts).delete()
        redactor = Redactor(self._words, plan.ids_after[0])
        for session in Session.objects.iterator():  # forms that were carried over a sign-in
            if redactor.is_in(session.get_decoded()):
                session.delete()

    def tell(self) -> RowsChanged:
        """The tombstone, the journal and the log; the ids are noted for restores once it is committed."""
        pool, plan, day = self._pool, self._plan, localdate()
        rows: int = sum(found["rows"] for found in self._counts.values())
        former = hash_of_id(pool, plan.player) if plan.number else None
        about: dict[str, Any] = {"pool": pool, "entry": self._entry, "day": day, "author": self._actor.name}
        made = [
            Erasure.objects.create(player_id=player, rows=counts, former=former, **about)
            for player, counts in zip(plan.ids_after, [self._counts, *[{}] * len(plan.ids)], strict=False)
        ]
        ErasedFile.objects.bulk_create(
            [ErasedFile(erasure=made[0], file_id=file, size=size) for file, size in self._sizes.items()]
        )
        before = self._before.items()
        ErasedRow.objects.bulk_create(
            ErasedRow(erasure=made[0], table=of.table, row=of.row, before=each) for of, each in before
        )
        self._hashes.store(made[0])
        make_salts(self._logged)  # new ones, for what is left
        append_erasure(self._entry, rows)
        note(self._actor, ERASE, pool, member=plan.ids_after[0], rows=rows, files=len(self._sizes))
        enter_new_rows(self._uncovered)
        noted = [NotedErasure(pool.slug, each, day.isoformat(), former or "") for each in plan.ids_after]
        transaction.on_commit(partial(noted_ids.note_ids, noted))
        return RowsChanged(rows, len(self._sizes))

    def _count(self, table: str, columns: Iterable[str], rows: int) -> None:
        if rows:
            known = self._counts.setdefault(table, {"columns": [], "rows": 0})
            known["columns"] = sorted({*known["columns"], *columns})
            known["rows"] += rows
