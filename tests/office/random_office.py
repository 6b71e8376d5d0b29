"""An office in which things happen in any order, and what must hold whatever happened.

Whatever was done: the exported ledger is one that `banzuke check` takes; once the revisions that are due are
published, rating it gives the latest revision of every list, cell by cell; and each revision is verified.
"""

from __future__ import annotations

import tempfile
from contextlib import suppress
from datetime import date, timedelta
from itertools import combinations
from pathlib import Path

from engine.random_adjustments import random_map
from published_office import changes_csv, file_rows, lists_csv

from banzuke.core import facts
from banzuke.core.facts import RULINGS, SCORES, Club, Membership, Player
from banzuke.core.fault import RefusedError
from banzuke.core.month import parse_month
from banzuke.core.registry import BOOKS
from banzuke.database import models
from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, enter_ledger
from banzuke.database.ledger_folders import write_folder
from banzuke.engine.history import UnknownListError
from banzuke.engine.rating_run import rate_ledger
from banzuke.exchange.player_identities import NEW, Decision
from banzuke.formats.report import Report, ReportedEvent, ReportedGame, ReportedPlayer
from banzuke.formats.trf import trf_writer
from banzuke.ledger.folder import ChessLedger, read_ledger
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.office.fact_rows import record_of, standing_rows
from banzuke.office.fees import dues, invoices
from banzuke.office.inbox import acceptance_undo, reports
from banzuke.office.inbox.event_fields import EXCLUDED, RULING
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.review import review_report
from banzuke.office.journal import Actor
from banzuke.office.lists import (
    adjustments,
    coming_list,
    correction_drafts,
    corrections,
    publishing,
    verification,
)
from banzuke.office.lists.list_index import current_lists
from banzuke.office.lists.recompute import recompute
from banzuke.office.merged_ids import standing_merges
from banzuke.office.refusals import NotDoneError, NothingToDoError
from banzuke.office.register import clubs, member_import, members, player_merge
from banzuke.rulebooks.pandanet.ranks import default_zone

POOL_TOML = """name = "Any Order"
[[edition]]
rulebook = "ncs-2022"
from = 2022-09-01
[[edition]]
rulebook = "jcf-2024"
from = 2024-10-01
"""
FIRST_DAY = date(2024, 7, 1)
ANYBODY = Actor("officer")
#: What an office answers instead of doing something.
REFUSALS = (
    NotDoneError,
    UnknownListError,
    RefusedError,
    player_merge.MergeError,
    members.UnknownMemberError,
    members.TakenIdError,
    invoices.NothingOwedError,
    invoices.TooMuchTakenBackError,
    invoices.NothingToWaiveError,
)
GIVEN = ("Ichiro", "Jiro", "Saburo", "Shiro", "Goro", "Rokuro", "Shichiro", "Hachiro", "Kuro", "Juro")
FAMILIES = ("ABE", "KATO", "SATO", "TANAKA", "NAKANO", "HARADA", "MORI", "YAMADA", "RYU", "WADA")


def name_of(number):
    """The name of the member of that number."""
    return f"{FAMILIES[number % 10]} {GIVEN[number // 10 % 10]}"


def any_pool(slug="any"):
    """Ten members with a year's membership, three clubs, four of the members rated; no event."""
    editions = [
        EditionInForce(BOOKS[name], start, BOOKS[name].settings(), "", default_zone())
        for name, start in (("ncs-2022", date(2022, 9, 1)), ("jcf-2024", date(2024, 10, 1)))
    ]
    year = date(2024, 1, 1), date(2024, 12, 31)
    ledger = ChessLedger(
        Pool("Any Order", tuple(editions)),
        [Player(f"M{n:03}", name_of(n), birth_date=date(1990 + 2 * n, 2, 28)) for n in range(10)],
        [Club(f"C{n}", f"Club {n}", "club", *year) for n in range(3)],
        [Membership(f"M{n:03}", facts.ANNUAL, *year) for n in range(9)],
        [],
        {},
        [
            facts.Opening(player_id=f"M{n:03}", speed="standard", rating=1500 + 100 * n, games=20 * n)
            for n in range(4)
        ],
    )
    return enter_ledger(slug, ledger, {"pool.toml": POOL_TOML}, Act("test", "import-ledger"))


class AnyOrder:
    """The office, its day, and somebody (`random.Random`) who does whatever comes to mind."""

    def __init__(self, mind, pool=None, acts=None):
        self.mind, self.pool, self.today = mind, pool or any_pool(), FIRST_DAY
        self.told, self.number, self.acts = [], 0, acts or ACTS

    def does_something(self):
        """One act, done or refused."""
        act = self.mind.choice(self.acts)
        try:
            said = act(self)
        except REFUSALS as refusal:
            said = f"{type(refusal).__name__} {refusal}"[:200]
        self.told.append(f"{self.today} {act.__name__}: {said}")

    # what is there

    def some(self, record, **only):
        rows = list(standing_rows(self.pool, record).filter(**only))
        return self.mind.choice(rows) if rows else None

    def day(self, back, ahead=0):
        return self.today + timedelta(days=self.mind.randint(-back, ahead))

    # acts

    def waits(self):
        self.today += timedelta(days=self.mind.choice((1, 3, 10, 20, 31, 60)))

    def sends(self):
        """A report of an event of a few days, by anybody, sometimes late, sometimes with an id of old."""
        self.number += 1
        reported = self.day(*self.mind.choice(((0, 0), (3, 0), (40, 0), (100, 0))))
        ends = reported - timedelta(days=self.mind.choice((0, 1, 20, 95)))
        starts = ends - timedelta(days=self.mind.choice((0, 0, 1, 3)))
        count = self.mind.randint(2, 6)
        known = [row.name for row in standing_rows(self.pool, facts.Player)]
        names = self.mind.sample(known, min(count, len(known)))
        if self.mind.random() < 0.3:
            names[-1] = name_of(self.mind.randint(10, 99))
        players = tuple(ReportedPlayer(n, name) for n, name in enumerate(dict.fromkeys(names), 1))
        games = tuple(self._games(len(players), starts, ends))
        event = ReportedEvent(f"Open {self.number}", "Tokyo", starts=starts, ends=ends, rounds=9)
        data = trf_writer.write(Report(event, players, games), version=16)
        said = {"speed": self.mind.choice(("standard", "standard", "rapid")), "reported": reported}
        said |= {
            "organiser": f"C{self.mind.randrange(3)}",
            "form": self.mind.choice(("tournament", "meeting")),
        }
        if self.mind.random() < 0.3:
            said["paid"] = self.day(30)
        ids = list(models.Event.objects.filter(pool=self.pool).values_list("event_id", flat=True))
        if ids and self.mind.random() < 0.3:
            said["event_id"] = self.mind.choice(ids)
        report = receive(self.pool, [(f"{self.number}.trf", data)], said, Sender(ANYBODY, None, "", "upload"))
        return f"{report.pk} {starts}..{ends} reported {reported} {said.get('event_id', '')}"

    def _games(self, count, starts, ends):
        pairs = list(combinations(range(1, count + 1), 2))
        for round_, (one, two) in enumerate(pairs, 1):
            white, black = self.mind.choice(((one, two), (two, one)))
            day = starts + timedelta(days=min(round_ - 1, (ends - starts).days))
            result = self.mind.choice([*SCORES][:3] * 4 + [*SCORES])
            yield ReportedGame(round_, white, black, result, day if self.mind.random() < 0.8 else None)

    def decides(self):
        """Who is who, rulings and games left out, of a report that waits; then it is entered, or not."""
        report = self.mind.choice([*models.Report.objects.filter(pool=self.pool, state="waiting")] or [None])
        if report is None:
            return None
        review = review_report(report, self.today)
        decided = []
        for event in review.events:
            for one in event.undecided:
                who = self.mind.choice([NEW, NEW, *(c.player_id for c in one.candidates)])
                decided.append(Decision(event.file, one.reported.number, one.reported.name, who))
            if self.mind.random() < 0.3:
                reports.set_fields(report, {RULING: self.mind.choice(["", *RULINGS])}, ANYBODY)
            if event.places and self.mind.random() < 0.2:
                reports.set_fields(report, {EXCLUDED: [list(self.mind.choice(event.places))]}, ANYBODY)
        reports.decide(report, decided, ANYBODY)
        if self.mind.random() < 0.1:
            reports.hold(report, ANYBODY, "later")
            return f"{report.pk} held"
        step = reports.accept(report, ANYBODY, self.today)
        return f"{report.pk} entered as {step.entry_id}"

    def takes_back(self):
        report = self.mind.choice([*models.Report.objects.filter(pool=self.pool, state="accepted")] or [None])
        if report is None:
            return None
        return f"{report.pk}: {acceptance_undo.take_back(report, ANYBODY, 'too early').entry_id}"

    def merges(self):
        one, two = self.some(facts.Player), self.some(facts.Player)
        player_merge.merge(self.pool, one.player_id, two.player_id, ANYBODY, "one person", self.today)
        return f"{two.player_id} into {one.player_id}"

    def parts(self):
        found = self.mind.choice(standing_merges(self.pool) or [None])
        if found is None:
            return None
        player_merge.unmerge(self.pool, found.kept, found.merged, ANYBODY, "two after all", self.today)
        return f"{found.merged} from {found.kept}"

    def adds_a_membership(self):
        player, event = self.some(facts.Player), self.some(facts.Event)
        starts = self.day(200, 60)
        kind = self.mind.choice((facts.ANNUAL, facts.ONE_EVENT))
        event_id = event.event_id if event and kind == facts.ONE_EVENT else ""
        span = starts, starts + timedelta(days=self.mind.choice((0, 30, 364)))
        wanted = Membership(player.player_id, kind, *span, event_id)
        members.add_membership(self.pool, wanted, ANYBODY, self.today)
        return wanted

    def corrects_a_membership(self):
        row = self.some(facts.Membership)
        if self.mind.random() < 0.3:
            members.strike_membership(self.pool, row.pk, ANYBODY, "never was", self.today)
            return f"{row.pk} struck"
        wanted = record_of(row, facts.Membership)._replace(
            valid_from=self.day(300), valid_to=self.day(100, 300)
        )
        members.correct_membership(self.pool, row.pk, wanted, ANYBODY, "other days", self.today)
        return wanted

    def changes_a_member(self):
        row = self.some(facts.Player)
        wanted = record_of(row, facts.Player)._replace(
            birth_date=date(self.mind.randint(1950, 2012), self.mind.randint(1, 12), 28),
            fide_standard=self.mind.choice((None, 1700, 2450)),
        )
        return row.player_id, members.change(
            self.pool, wanted, members.ContactDetails(), ANYBODY, "", self.today
        )

    def adds_a_member(self):
        number = self.mind.randint(0, 99)
        members.add(self.pool, Player(f"M{number:03}", name_of(number)), members.ContactDetails(), ANYBODY)
        return number

    def imports_members(self):
        numbers = [self.mind.randint(0, 30) for _ in range(3)]
        starts = self.day(60, 30)
        rows = [f"M{n:03},{name_of(n)},{1990 + n}-02-03,{starts},{starts.year + 1}-03-31" for n in {*numbers}]
        data = "\n".join(["player_id,name,birth_date,valid_from,valid_to", *rows, ""]).encode()
        sent = member_import.store_file(self.pool, "register.csv", data, ANYBODY)
        columns = {"id": "player_id", "name": "name", "birth_date": "birth_date"}
        columns |= {"valid_from": "valid_from", "valid_to": "valid_to"}
        member_import.set_columns(sent, columns, None)
        member_import.take_over(sent, member_import.preview(sent).position, ANYBODY, self.today)
        return numbers

    def renews_a_club(self):
        club = f"C{self.mind.randrange(3)}"
        clubs.renew(self.pool, club, self.today, self.today + timedelta(days=364), ANYBODY)
        row = self.some(facts.Club, club_id=club)
        wanted = record_of(row, facts.Club)._replace(name=f"{row.name}!")
        clubs.correct(self.pool, row.pk, wanted, ANYBODY, "its name", self.today)
        return club

    def invoices(self):
        name = self.mind.choice([*dues.window_names(self.pool, self.today)] or [None])
        if name is None:
            return None
        of = dues.find_window(self.pool, name)
        return invoices.create_invoice(
            self.pool, of, f"C{self.mind.randrange(3)}", ANYBODY, self.today
        ).number

    def notes_a_payment(self):
        made = self.mind.choice([*invoices.invoices_of(self.pool)] or [None])
        if made is None:
            return None
        amount = self.mind.choice((made.amount, made.amount, 200, -200, -made.amount)) or 200
        invoices.note_payment(made, amount, self.day(20), "", ANYBODY, self.today)
        return f"{amount} for {made.number} of {made.amount}"

    def waives(self):
        row = self.some(facts.Event)
        if row is None:
            return None
        verb = self.mind.choice((invoices.waive_fee, invoices.demand_fee))
        verb(self.pool, row.event_id, ANYBODY, "so it is", self.today)
        return f"{verb.__name__} {row.event_id}"

    def corrects(self):
        """An inquiry of some day: games, an event with all its games, a member or membership changed."""
        asked = corrections.open_inquiry(
            self.pool, self.day(self.mind.choice((0, 0, 40))), "somebody", "", ANYBODY
        )
        record = self.mind.choice((facts.Game, facts.Game, facts.Event, facts.Player, facts.Membership))
        row = self.some(record)
        if row is None:
            return None
        name = next(name for name, kept in correction_drafts.CORRECTED.items() if kept is record)
        if self.mind.random() < (0.5 if record is facts.Event else 0.15):
            correction_drafts.draft_strike(asked, name, row.pk)
        else:
            correction_drafts.draft_change(asked, name, row.pk, **self._correction(record))
        lists = corrections.carry_out(asked, ANYBODY, "found wrong", self.today)
        return f"{asked.day} {name} {row.pk}: {lists}"

    def _correction(self, record):
        return {
            facts.Game: {"result": self.mind.choice(["1-0", "0-1", "+/-"])},
            facts.Event: {"speed": self.mind.choice(("standard", "rapid"))},
            facts.Player: {"birth_date": date(2009, 5, 5)},
            facts.Membership: {"valid_to": date(2025, 12, 31)},
        }[record]

    def publishes(self):
        coming = coming_list.find_coming_list(self.pool, self.today)
        return publishing.publish(self.pool, coming.name, ANYBODY, self.today)

    def revises(self):
        return corrections.revise(self.pool, ANYBODY, "due")

    # what must hold

    def is_sound(self):
        """The exported ledger is one that `banzuke check` takes. Raises RefusedError."""
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place) / "ledger"
            write_folder(self.pool, folder)
            read_ledger(folder)

    def adjusts(self):
        """The ratings of some list around the last one, published or not, in time or not."""
        coming = coming_list.find_coming_list(self.pool, self.today)
        month = parse_month(coming.name).plus(self.mind.randint(-5, 1))
        row = facts.Adjustment(adjustments.free_id(self.pool), str(month), random_map(self.mind), "Board")
        row = row._replace(speed=self.mind.choice(("", "", "standard", "rapid")))
        adjustments.enter_adjustment(self.pool, row, ANYBODY, self.today)
        return row

    def takes_an_adjustment_back(self):
        row = self.some(facts.Adjustment)
        name = row.adjustment_id if row else "none"
        adjustments.take_back_adjustment(self.pool, name, ANYBODY, self.today)
        return name

    def agrees(self):
        """With what is due published, the exported ledger gives the lists; each revision is verified."""
        with suppress(NothingToDoError):
            self.revises()
        assert not recompute(self.pool, read_book(self.pool)).due
        last = current_lists(self.pool).first()
        if last is None:
            return
        with tempfile.TemporaryDirectory() as place:
            write_folder(self.pool, Path(place) / "ledger")
            rate_ledger(read_ledger(Path(place) / "ledger"), Path(place) / "out", last.name)
            assert file_rows(Path(place) / "out" / "lists.csv") == lists_csv(self.pool)
            assert file_rows(Path(place) / "out" / "changes.csv") == changes_csv(self.pool)
        for each in self.pool.lists.all():
            assert verification.verify(self.pool, each.name, each.revision).is_good, each


ACTS = (
    *[AnyOrder.waits] * 4,
    *[AnyOrder.sends] * 5,
    *[AnyOrder.decides] * 7,
    *[AnyOrder.publishes] * 3,
    *[AnyOrder.corrects] * 3,
    *[AnyOrder.merges] * 2,
    *[AnyOrder.parts] * 2,
    *[AnyOrder.takes_back] * 2,
    AnyOrder.adds_a_membership,
    AnyOrder.corrects_a_membership,
    AnyOrder.changes_a_member,
    AnyOrder.adds_a_member,
    AnyOrder.imports_members,
    AnyOrder.renews_a_club,
    AnyOrder.invoices,
    AnyOrder.notes_a_payment,
    AnyOrder.notes_a_payment,
    AnyOrder.waives,
    AnyOrder.revises,
)
#: Those of an office whose board adjusts ratings, too.
WITH_ADJUSTMENTS = (*ACTS, *[AnyOrder.adjusts] * 4, *[AnyOrder.takes_an_adjustment_back] * 2)
