"""Ways to change an office's past for who can write its database, each with what it is."""

from __future__ import annotations

import hashlib
import zlib
from datetime import timedelta
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import connection
from office.attacked_office import Office, execute, forget_caches
from office.published_office import CHIEF, TODAY

from banzuke.core.fault import RefusedError
from banzuke.database import models
from banzuke.office.lists.publishing import publish
from banzuke.office.lists.record_hashes import hashes_of_records
from banzuke.office.transparency.list_contents import content_of
from banzuke.transparency.log_entries import ErasureEntry, FinalEntry, KeyEntry, RestartEntry, entry_body
from banzuke.transparency.signed_notes import public_key

if TYPE_CHECKING:
    from collections.abc import Callable

AT = "2026-01-01T00:00:00Z"
ZEROS = "0" * 64
OF_LISTS = (
    models.ListRow, models.Line, models.Working, models.ListFigures, models.ListContent, models.ListTree,
    models.PreliminaryList, models.LogEntry,
)  # fmt: skip
ATTACKS: dict[str, Callable[[Office], None]] = {}


def with_key() -> dict[str, Callable[[Office], None]]:
    """Those that change the past for who has the key, too."""
    return {what: change for what, change in ATTACKS.items() if not getattr(change, "needs_no_key", False)}


def attack(what: str) -> Callable[[Callable[[Office], None]], Callable[[Office], None]]:
    """A way, by what it is."""

    def noted(change: Callable[[Office], None]) -> Callable[[Office], None]:
        ATTACKS[what] = change
        return change

    return noted


def of_triggers(change: Callable[[Office], None]) -> Callable[[Office], None]:
    """What it does to the triggers is left as it is; no key is of use for it."""
    change.is_of_triggers = change.needs_no_key = True
    return change


def of_database_alone(change: Callable[[Office], None]) -> Callable[[Office], None]:
    """What changes nothing of the past for who has the key: it is added for everybody to see."""
    change.needs_no_key = True
    return change


def update(row, **cells) -> None:
    type(row).objects.filter(pk=row.pk).update(**cells)


def old(office: Office) -> models.RatingList:
    """A list with games that everybody has seen for long."""
    return next(each for each in office.lists if each.lines.exclude(change=None).exists())


def row_of(office: Office) -> models.ListRow:
    return old(office).rows.order_by("place")[2]


# What a list says


@attack("a rating in a published list")
def _rating(office):
    row = row_of(office)
    update(row, rating=row.rating + 100)


@attack("a place in a published list")
def _place(office):
    update(row_of(office), place=1)


@attack("a name in a published list")
def _name(office):
    update(row_of(office), name="SOMEBODY Else")


@attack("a club in a published list")
def _club(office):
    update(row_of(office), club_id="C02")


@attack("what a game changed")
def _line(office):
    line = old(office).lines.exclude(change=None)[0]
    update(line, change=line.change + 500)


@attack("the calculation behind a rating")
def _working(office):
    working = old(office).workings.first()
    update(working, calculation=working.calculation | {"more": 1})


@attack("the statistics of a list")
def _figures(office):
    figures = old(office).figures.first()
    update(figures, figures=figures.figures | {"players": 1})


@attack("a player added to a list")
def _added_row(office):
    row = row_of(office)
    row.pk, row.player_id = None, "J999"
    row.save(force_insert=True)


@attack("a player taken out of a list")
def _no_row(office):
    row_of(office).delete()


@attack("the stored bytes of a list")
def _bytes(office):
    store(old(office), changed_content(office))


@attack("a list's hash")
def _hash(office):
    update(old(office), sha256=ZEROS)


@attack("the stored bytes of a list, and its hash")
def _bytes_and_hash(office):
    content = changed_content(office)
    store(old(office), content)
    update(old(office), sha256=hashlib.sha256(content).hexdigest())


@attack("a rating in a list, with bytes, hash and the journal's hash of it")
def _all_of_a_rating(office):
    row = row_of(office)
    content = changed_content(office, row.player_id)
    update(row, rating=row.rating + 100)
    store(old(office), content)
    with_journal(old(office), sha256=hashlib.sha256(content).hexdigest())


@attack("two lists' contents exchanged")
def _exchanged(office):
    one, other = office.lists[0], office.lists[1]
    contents = content_of(one), content_of(other)
    store(one, contents[1])
    store(other, contents[0])
    sums = one.sha256, other.sha256
    update(one, sha256=sums[1])
    update(other, sha256=sums[0])


@attack("two lists' numbers exchanged")
def _renumbered(office):
    one, other = office.lists[0], office.lists[1]
    update(one, number=10_000)
    update(other, number=one.number)
    update(one, number=other.number)


@attack("a list renamed")
def _renamed(office):
    update(old(office), name="2019-01")


@attack("a publication backdated")
def _backdated(office):
    update(old(office), published_at=old(office).published_at - timedelta(days=30))


@attack("a publication backdated by seconds, with the journal and its hash")
def _backdated_with_journal(office):
    with_journal(old(office), published_at=old(office).published_at - timedelta(seconds=30))


@attack("who published a list, in the list and in the journal")
def _author(office):
    with_journal(old(office), author="nobody")
    models.JournalEntry.objects.filter(act="publish").update(who="nobody")


@attack("the day of a list")
def _day(office):
    update(old(office), day=old(office).day - timedelta(days=1))


@attack("why a list was revised")
def _why(office):
    update(next(each for each in office.lists if each.revision), why="a better reason")


@attack("a preliminary list made final at once")
def _not_preliminary(office):
    models.PreliminaryList.objects.all().delete()


@attack("the last list taken out, with all that names it")
def _no_last_list(office):
    take_out(office.lists[-1])
    models.JournalEntry.objects.order_by("-pk").first().delete()


@attack("a list in the middle taken out, and the later ones renumbered")
def _no_middle_list(office):
    gone = old(office)
    take_out(gone)
    for each in office.lists[gone.number :]:
        update(each, number=each.number - 1)


@attack("a revision taken out, so that the first one counts again")
def _no_revision(office):
    take_out([each for each in office.lists if each.revision][-1])


@attack("a revision that nobody published")
def _forged_revision(office):
    forged = models.RatingList.objects.get(pk=old(office).pk)
    last = max(each.revision for each in office.lists if each.name == forged.name)
    forged.pk, forged.number, forged.revision = None, len(office.lists) + 1, last + 1
    forged.save(force_insert=True)


# What the lists were made from


@attack("the result of a game")
def _result(office):
    game = models.Game.objects.filter(pool=office.pool, result="0-1").first()
    update(game, result="1-0")


@attack("the result of a game, with every list made again by it")
def _result_and_lists(office):
    game = models.Game.objects.filter(pool=office.pool, result="0-1").first()
    update(game, result="1-0")
    publish_again(office)


@attack("a birth date")
def _birth_date(office):
    update(models.Player.objects.filter(pool=office.pool).last(), birth_date="1950-01-01")


@attack("a membership")
def _membership(office):
    membership = models.Membership.objects.filter(pool=office.pool).first()
    update(membership, valid_to=membership.valid_to + timedelta(days=1))


@attack("the name of an event")
def _event(office):
    update(models.Event.objects.filter(pool=office.pool).first(), name="Another Open")


@attack("who answers for an event")
def _responsible(office):
    update(models.Event.objects.filter(pool=office.pool).first(), responsible="SOMEBODY Else")


@attack("the name of a club")
def _club_name(office):
    update(models.Club.objects.filter(pool=office.pool).first(), name="Another Club")


@attack("who made an entry")
def _entry_author(office):
    update(models.Entry.objects.filter(pool=office.pool).first(), author="nobody")


@attack("when an entry was made")
def _entry_moment(office):
    entry = models.Entry.objects.filter(pool=office.pool).first()
    update(entry, at=entry.at - timedelta(days=1))


@attack("a game put into an entry of before")
def _added_game(office):
    game = models.Game.objects.filter(pool=office.pool).first()
    game.pk, game.result = None, "1/2-1/2"
    game.save(force_insert=True)


@attack("a game taken out")
def _no_game(office):
    models.Game.objects.filter(pool=office.pool).first().delete()


@attack("a correction taken back")
def _no_strike(office):
    models.Strike.objects.filter(pool=office.pool).delete()


@attack("a game of which no list is made yet")
def _late_game(office):
    update(models.Game.objects.filter(pool=office.pool).last(), result="0-1", white="J001", black="J002")


@attack("the rules")
def _rules(office):
    rules = models.PoolFile.objects.filter(entry__pool=office.pool, name="pool.toml").last()
    update(rules, text=rules.text.replace('name = "', 'name = "New ', 1))


@attack("a pool's name in addresses")
def _slug(office):
    update(office.pool, slug="nippon")


# What was decided and done


@attack("who did something, in the journal")
def _journal_who(office):
    update(models.JournalEntry.objects.filter(act="sign-in").last(), who="nobody")


@attack("what was done, in the journal")
def _journal_what(office):
    update(models.JournalEntry.objects.filter(act="dismiss").last(), what={"inquiry": 99})


@attack("an act taken out of the journal")
def _journal_less(office):
    models.JournalEntry.objects.filter(act="dismiss").last().delete()


@attack("the bytes of a report's file")
def _file(office):
    update(models.ReportFile.objects.first(), data=b"0")


@attack("the bytes of a report's file, and their hash")
def _file_and_hash(office):
    update(models.ReportFile.objects.first(), data=b"0", sha256=hashlib.sha256(b"0").hexdigest())


@attack("why an inquiry was dismissed")
def _decision(office):
    update(models.InquiryStep.objects.filter(state="dismissed").first(), why="a better reason")


@attack("what a club has paid")
def _payment(office):
    update(models.Payment.objects.first(), amount=1)


# What proves it


@attack("a player's salt")
def _salt(office):
    update(models.PlayerSalt.objects.filter(pool=office.pool).first(), salt=bytes(32))


@attack("all salts taken out")
def _no_salts(office):
    models.PlayerSalt.objects.all().delete()


@attack("a leaf of a list's tree")
def _leaf(office):
    tree = models.ListTree.objects.get(list=old(office))
    update(tree, leaves=bytes(32) + bytes(tree.leaves)[32:])


@attack("a leaf taken out of a list's tree")
def _no_leaf(office):
    tree = models.ListTree.objects.get(list=old(office))
    update(tree, leaves=bytes(tree.leaves)[32:], persons=bytes(tree.persons)[32:])


@attack("a commitment in a list's tree")
def _commitment(office):
    tree = models.ListTree.objects.get(list=old(office))
    update(tree, persons=bytes(32) + bytes(tree.persons)[32:])


@attack("an entry of the log")
def _entry(office):
    row = models.LogEntry.objects.get(list=old(office))
    update(row, body=row.body.replace('"players":', '"players":1'))


@attack("an entry of the log taken out at its end")
def _no_last_entry(office):
    models.LoggedRows.objects.all().delete()
    for row in models.LogEntry.objects.order_by("-number")[:2]:
        row.delete()


@attack("an entry of the log taken out, and the later ones renumbered")
def _no_entry(office):
    gone = models.LogEntry.objects.get(list=old(office))
    number = gone.number
    gone.delete()
    for row in models.LogEntry.objects.filter(number__gt=number).order_by("number"):
        update(row, number=row.number - 1)


@attack("two entries of the log exchanged")
def _exchanged_entries(office):
    one, other = models.LogEntry.objects.exclude(list=None).order_by("number")[:2]
    update(one, number=10_000)
    update(other, number=one.number)
    update(one, number=other.number)


@attack("an entry of the log put in between")
def _entry_between(office):
    for row in models.LogEntry.objects.filter(number__gte=3).order_by("-number"):
        update(row, number=row.number + 1)
    add_entry(FinalEntry("japan", office.lists[0].name, 0, AT), 3)


@attack("an entry added, that a list became final")
def _added_entry(office):
    add_entry(FinalEntry("japan", office.lists[0].name, 0, AT))


@attack("an erasure that nobody did, to excuse a birth date")
def _fake_erasure(office):
    _birth_date(office)
    entry = models.Entry.objects.filter(pool=office.pool).latest("pk")
    models.Erasure.objects.create(
        pool=office.pool, player_id="J004", entry=entry, day="2026-01-01", author="chief", rows={}
    )
    add_entry(ErasureEntry("japan", 1, entry.pk, ZEROS, ZEROS, AT))


@attack("another's key, as if the office signed with it")
@of_database_alone
def _fake_key(office):
    other = public_key(office.keys[0].name, Ed25519PrivateKey.generate())
    add_entry(KeyEntry((str(other),), AT))


@attack("a new beginning of the log")
def _fake_restart(office):
    add_entry(RestartEntry(office.keys[0].name, 1, ZEROS, "no reason", AT))


@attack("which rows the log has hashes of")
def _no_logged_rows(office):
    models.LoggedRows.objects.all().delete()


@attack("a journal row, and the secret of the hash over it")
def _no_secret(office):
    _journal_who(office)
    logged = models.LoggedRows.objects.get()
    del logged.tables["journalentry"]["secret"]
    update(logged, tables=logged.tables)


@attack("the secret of an entry's hashes")
def _secret(office):
    update(models.LogEntry.objects.get(list=old(office)), secret=bytes(32))


@attack("the log taken out wholly, as if the office had kept none")
def _no_log(office):
    for model in (models.LoggedRows, models.LogEntry, models.ListTree, models.ListContent):
        model.objects.all().delete()


@attack("an old copy of the database put back")
def _old_copy(office):
    models.LoggedRows.objects.all().delete()
    for row in models.LogEntry.objects.filter(number__gte=4).order_by("-number"):
        if row.list is None:
            row.delete()
        else:
            take_out(row.list)


# What guards it


def trigger(table: str) -> str:
    return f"book_{table}_stays" if connection.vendor == "postgresql" else f"book_{table}_no_update"


def drop(table: str) -> None:
    on = f" ON book_{table}" if connection.vendor == "postgresql" else ""
    execute(f"DROP TRIGGER {trigger(table)}{on}")


@attack("a trigger dropped")
@of_triggers
def _no_trigger(office):
    drop("game")


@attack("a trigger that guards nothing in its place")
@of_triggers
def _idle_trigger(office):
    drop("game")
    if connection.vendor == "postgresql":
        when = "BEFORE UPDATE OR DELETE OR TRUNCATE ON book_game FOR EACH STATEMENT WHEN (false)"
        execute(f"CREATE TRIGGER {trigger('game')} {when} EXECUTE FUNCTION book_refuse()")
    else:
        execute(f"CREATE TRIGGER {trigger('game')} BEFORE UPDATE ON book_game WHEN 0 BEGIN SELECT 1; END")


@attack("a trigger that changes what is entered")
@of_triggers
def _foreign_trigger(office):
    if connection.vendor == "postgresql":
        execute("CREATE FUNCTION other() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$")
        execute("CREATE TRIGGER other BEFORE INSERT ON book_game FOR EACH ROW EXECUTE FUNCTION other()")
    else:
        execute("CREATE TRIGGER other AFTER INSERT ON book_game BEGIN DELETE FROM book_nameword; END")


# What they are made of


def changed_content(office: Office, player: str = "") -> bytes:
    """A list's bytes with another rating of a player."""
    row = row_of(office) if not player else old(office).rows.get(player_id=player, speed=row_of(office).speed)
    lines = (content_of(old(office)) or b"").decode().split("\n")
    at = next(at for at, line in enumerate(lines) if f",{row.speed},{row.player_id},{row.rating}," in line)
    lines[at] = lines[at].replace(f",{row.rating},", f",{row.rating + 100},", 1)
    return "\n".join(lines).encode()


def store(published: models.RatingList, content: bytes) -> None:
    packer = zlib.compressobj(wbits=31)
    packed = packer.compress(content) + packer.flush()
    models.ListContent.objects.filter(list=published).update(packed=packed)


def with_journal(published: models.RatingList, **cells) -> None:
    """Change what a list says of itself, and the hash that the journal has of it."""
    (before,) = hashes_of_records([published])
    update(published, **cells)
    (after,) = hashes_of_records([models.RatingList.objects.get(pk=published.pk)])
    for act in models.JournalEntry.objects.filter(pool=published.pool, what__has_key="records"):
        records = [after if each == before else each for each in act.what["records"]]
        update(act, what=act.what | {"records": records})


def take_out(published: models.RatingList) -> None:
    for model in OF_LISTS:
        model.objects.filter(list=published).delete()
    models.RatingList.objects.filter(pk=published.pk).delete()


def add_entry(said, number: int | None = None) -> None:
    """An entry by who has no key, or will sign it later."""
    last = models.LogEntry.objects.order_by("-number").first().number
    models.LogEntry.objects.create(
        number=last + 1 if number is None else number,
        body=entry_body(said),
        secret=bytes(32),
        signature=bytes(64),
    )


def publish_again(office: Office) -> None:
    """Take all lists out and publish them anew, as if that had been the first time."""
    models.LoggedRows.objects.all().delete()
    for each in reversed(office.lists):
        take_out(each)
    models.LogEntry.objects.all().delete()
    models.JournalEntry.objects.filter(act__in=("publish", "revise", "correct")).delete()
    last = next(each for each in reversed(office.lists) if not each.revision)
    forget_caches()
    try:
        publish(office.pool, last.name, CHIEF, TODAY)
    except RefusedError:
        raise AssertionError("the lists could not be made again") from None
