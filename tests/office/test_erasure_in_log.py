"""An erasure is an entry of the log, and covers nothing else: whoever fakes one, or hides behind one, is found."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from django.db import transaction
from opened_tables import opened
from published_office import CHIEF, TODAY, erase, names, published

from banzuke.core import facts
from banzuke.database.book_reader import last_entry
from banzuke.database.book_writer import Act, open_entry
from banzuke.database.models import (
    Entry,
    ErasedFile,
    ErasedRow,
    Erasure,
    Event,
    ListRow,
    LogEntry,
    Player,
    PlayerSalt,
    Report,
    ReportFile,
    TextSalt,
)
from banzuke.office import noted_ids
from banzuke.office.erasure import erasing
from banzuke.office.erasure.erasure_plan import plan_erasure
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.publishing import publish
from banzuke.office.transparency.book_hashes import EntryRange, row_hashes
from banzuke.office.transparency.erasure_verification import differing_erasures
from banzuke.office.transparency.log_verification import verify_log
from banzuke.office.transparency.office_log import append_erasure

pytestmark = pytest.mark.django_db
#: Who is erased first, who later, and who never.
GONE, LATER, OTHER = "H02", "H03", "H05"


def codes():
    return {found.code for found in [*verify_log().faults, *differing_erasures()]}


@contextmanager
def undone():
    """What is done within is taken back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def person(pool, player_id):
    return standing_rows(pool, facts.Player).get(player_id=player_id)


def reason():
    """The entry whose reason names two persons."""
    return Entry.objects.get(act="change-member")


@pytest.fixture
def pool(settings, tmp_path):
    """A club in whose ledger the reason of an entry that a list was made from names two persons."""
    settings.HOME = tmp_path
    pool = published("hakodate", 2)
    named = " and ".join(person(pool, each).name for each in (GONE, LATER))
    open_entry(pool, Act("clerk", "change-member", f"{named} moved"))
    publish(pool, names(pool)[-1], CHIEF, TODAY)
    assert codes() == set()
    return pool


class TestATrueErasure:
    def test_leaves_the_log_good_and_so_does_the_next_in_the_same_row(self, pool):
        erase(pool, GONE)
        assert codes() == set()
        assert (GONE in reason().why, LATER in reason().why) == (True, False)
        erase(pool, LATER)
        assert (GONE in reason().why, LATER in reason().why) == (True, True)
        assert ErasedRow.objects.filter(table="entry", row=reason().pk).count() == 2
        assert codes() == set()

    @pytest.mark.parametrize("table", ["player", pytest.param("entry", marks=pytest.mark.slow)])
    def test_nobody_can_try_what_stood_there(self, pool, table):
        """No secret that the office still has makes, out of what stood there, the hash that was kept."""
        of = EntryRange(pool, 0, last_entry(pool))
        cells = {"player": Player, "entry": Entry}[table].objects
        wanted = person(pool, GONE).pk if table == "player" else reason().pk
        stood = cells.filter(pk=wanted).values().get()
        hashes = {each.row: made for each, made in row_hashes(of) if each.table == table}
        erase(pool, GONE)
        kept = bytes(ErasedRow.objects.get(table=table, row=wanted).before)
        assert kept == hashes[wanted]
        secrets = {b"", *map(bytes, LogEntry.objects.values_list("secret", flat=True))}
        secrets |= {bytes(each) for each in PlayerSalt.objects.values_list("salt", flat=True)}
        secrets |= {bytes(each) for each in TextSalt.objects.values_list("salt", flat=True)}
        with opened():
            cells.filter(pk=wanted).update(**stood)
        tried = set()
        for secret in secrets:
            PlayerSalt.objects.filter(player_id=GONE).update(salt=secret)
            TextSalt.objects.filter(table=table, row=wanted).update(salt=secret)
            tried |= {made for each, made in row_hashes(of) if each == (table, wanted)}
        assert len(tried) == len(secrets)
        assert kept not in tried

    def test_what_was_changed_before_it_is_still_found_after_it(self, pool):
        with opened():
            Player.objects.filter(pk=person(pool, OTHER).pk).update(name="SOMEBODY Else")
            Event.objects.filter(pool=pool, event_id=pool.lists.first().lines.first().event_id).update(
                place="x"
            )
        before = codes()
        assert {"log-persons-changed", "log-book-changed"} <= before
        erase(pool, GONE)
        assert codes() == before


def nameless_on_lists(pool, player_id):
    rows = ListRow.objects.filter(list__pool=pool, player_id=player_id)
    rows.update(name=player_id, name_native="", club_id="", sex="")


def forged_erasure(pool, player_id, entry):
    return Erasure.objects.create(
        pool=pool, player_id=player_id, entry=entry, day=TODAY, author=CHIEF.name, rows={}
    )


def hidden_name(pool):
    nameless_on_lists(pool, OTHER)
    return {"log-persons-differ"}


def other_name(pool):
    ListRow.objects.filter(list__pool=pool, player_id=GONE).update(name="SOMEBODY Else")
    return {"log-persons-differ", "log-erasure-changed"}


def other_name_in_the_book(pool):
    Player.objects.filter(pool=pool, player_id=GONE).update(name="SOMEBODY Else")
    return {"log-erasure-named", "log-erasure-changed"}


def forged_row(pool):
    nameless_on_lists(pool, OTHER)
    forged_erasure(pool, OTHER, pool.entries.latest("pk"))
    return {"log-erasure-named", "log-erasure-changed", "erasure-not-noted"}


def forged_row_of_another_entry(pool):
    nameless_on_lists(pool, OTHER)
    forged_erasure(pool, OTHER, open_entry(pool, Act(CHIEF.name, erasing.ERASE)))
    return {"log-persons-differ", "log-erasure-missing", "erasure-not-noted"}


def forged_entry_of_the_log(pool):
    """All that an erasure writes, by the office's own code: only the file of the office's folder is missing."""
    erasing.carry_out(plan_erasure(pool, OTHER), CHIEF)
    return {"erasure-not-noted"}


def forged_entry_over_a_changed_book(pool):
    Event.objects.filter(pool=pool).update(place="Elsewhere")
    append_erasure(pool.entries.latest("pk"), 1)
    return {"log-book-changed", "log-erasure-changed"}


def forged_entry_over_nothing(pool):
    append_erasure(open_entry(pool, Act(CHIEF.name, erasing.ERASE)), 1)
    return {"log-erasure-changed"}


def changed_text(pool):
    Entry.objects.filter(pk=reason().pk).update(why="somebody moved")
    return {"log-erasure-changed"}


def changed_hash(pool):
    ErasedRow.objects.filter(erasure__pool=pool).update(before=b"x" * 32)
    return {"log-erasure-changed", "log-persons-changed"}


def hidden_row(pool):
    """A row that was changed, said to be one in which somebody was erased."""
    row = person(pool, OTHER)
    of = EntryRange(pool, 0, last_entry(pool))
    (before,) = [made for each, made in row_hashes(of) if each == ("player", row.pk)]
    Player.objects.filter(pk=row.pk).update(name="SOMEBODY Else")
    ErasedRow.objects.create(erasure=Erasure.objects.get(), table="player", row=row.pk, before=before)
    return {"log-erasure-changed"}


def hidden_file(pool):
    report = Report.objects.create(pool=pool, received_at=reason().at, author="clerk", source="upload")
    file = ReportFile.objects.create(report=report, name="a.trf", data=b"", sha256="00" * 32)
    ErasedFile.objects.create(erasure=Erasure.objects.get(), file=file, size=10)
    return {"log-erasure-changed"}


def lost_salt(pool):
    PlayerSalt.objects.filter(pool=pool, player_id=OTHER).delete()
    return {"log-persons-differ", "log-persons-changed"}


def taken_out(pool):
    ErasedRow.objects.all().delete()
    Erasure.objects.all().delete()
    return {"log-erasure-changed", "log-persons-changed", "log-persons-differ", "erasure-undone"}


ATTACKS = (
    hidden_name,
    other_name,
    other_name_in_the_book,
    forged_row,
    forged_row_of_another_entry,
    forged_entry_of_the_log,
    forged_entry_over_a_changed_book,
    forged_entry_over_nothing,
    changed_text,
    changed_hash,
    hidden_row,
    hidden_file,
    lost_salt,
    taken_out,
)


@pytest.mark.parametrize(
    "attacks", [ATTACKS[:2], pytest.param(ATTACKS, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_whoever_fakes_an_erasure_or_hides_behind_one_is_found(pool, attacks):
    erase(pool, GONE)
    for attack in attacks:
        with undone(), opened():
            wanted = attack(pool)
            assert wanted <= codes(), attack.__name__
    assert codes() == set()


@pytest.mark.slow
def test_an_erasure_that_was_cut_short_is_completed(pool):
    with undone():
        erasing.erase(pool, GONE, CHIEF)  # and not noted, as if the machine had stopped
        assert codes() == {"erasure-not-noted"}
        erasing.note_again(erasing.erasures_of_person(pool, GONE))
        assert codes() == set()
    assert [each[:2] for each in noted_ids.noted_ids()] == [(pool.slug, GONE)]
    assert codes() == {"erasure-undone"}  # as where an older database is put back
    erase(pool, GONE)
    assert codes() == set()
