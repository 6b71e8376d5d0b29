"""Reforms in an office: drafted, rehearsed, decided on, signed, announced, in force; withdrawn or stopped."""

from __future__ import annotations

from dataclasses import asdict, replace
from datetime import date, timedelta

import pytest
from django.contrib.auth import get_user_model
from office.published_office import CHIEF, TODAY, example, names, published

from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.database.book_reader import files_of, read_book, rules_of
from banzuke.database.book_writer import Act, add_files, new_entry
from banzuke.database.models import Job, JournalEntry, OfficeSettings, ReformStep, Role
from banzuke.engine.history import history, list_names
from banzuke.engine.points_account import ADJUSTMENTS
from banzuke.ledger import reforms
from banzuke.ledger.reforms import Signatures
from banzuke.office.administration.pools import Edition, change_rules, editions, open_pool
from banzuke.office.administration.restored_work import stop_restored_work
from banzuke.office.jobs import job_queue
from banzuke.office.journal import Actor
from banzuke.office.lists.list_index import current_lists, known_until
from banzuke.office.lists.publishing import publish
from banzuke.office.reforms import reform_acts
from banzuke.office.reforms.reform_acts import (
    announce,
    announced_reforms,
    bring_due_reforms_into_force,
    bring_into_force,
    decide,
    draft,
    draft_again,
    progress_of,
    reforms_of,
    sign,
    withdraw,
)
from banzuke.office.reforms.reform_files import adjustment_of, reform_for, rules_in_force
from banzuke.office.reforms.reform_rehearsal import rehearse
from banzuke.office.refusals import (
    DecisionDayError,
    DraftersOwnError,
    FrozenAdjustmentError,
    FrozenListError,
    NotAnnouncedError,
    NotDecidedError,
    NothingToRehearseError,
    NotRehearsedError,
    NotSignedError,
    ReformChangedError,
    ReformClosedError,
    ReformDayError,
)
from banzuke.words import fault_line

pytestmark = pytest.mark.django_db

OFFICER, SECOND = Actor("officer"), Actor("second")
FROM = TODAY + timedelta(days=31)
K32 = f'name = "K 32"\nfrom = {FROM}\n[set]\n"jcf.k_new" = 32\n'
COMPRESSION = f'name = "Compression"\nfrom = {FROM}\n[adjustment]\npoints = "1000:1400 2000:2000"\n'
BOTH = K32 + '[adjustment]\npoints = "1000:1400 2000:2000"\nspeed = "standard"\n'


@pytest.fixture
def pool():
    return published("japan")


def rehearsed(pool, text, actor=OFFICER):
    """A reform that was drafted and rehearsed, and the hash of its file."""
    reform = draft(pool, text, actor, TODAY)
    seen = progress_of(reform).draft.sha256
    job = job_queue.start("rehearse-reform", pool, {"reform": reform.number, "sha256": seen}, actor)
    assert job_queue.run(job).state == Job.State.DONE, job.result
    return reform, seen


def announced(pool, text):
    """A reform that was announced."""
    reform, seen = rehearsed(pool, text)
    decide(reform, seen, "Board, item 3", TODAY, "https://example.org/minutes", OFFICER, TODAY)
    sign(reform, seen, SECOND, TODAY)
    announce(reform, seen, CHIEF, TODAY)
    return reform


class TestTheFile:
    @pytest.mark.parametrize(
        ("text", "line"),
        [
            (K32.replace("[set]", "set]"), "reform.toml:3: This is not TOML"),
            (K32.replace(str(FROM), "2029-12-31"), "reform.toml: from: 2029-12-31 is over (today is 2030-01-01)"),
            (K32 + '[signed]\nby = ["A", "B"]\non = 2030-01-01\n', "reform.toml: signed: In the office"),
            (K32.replace("jcf", "ncs"), "reform.toml: set: On 2030-02-01 this pool is rated by jcf-2024, which has"),
            (K32.replace("= 32", "= 32000"), "reform.toml: set: jcf.k_new: '32000' cannot stand for this number"),
            (COMPRESSION + 'list = "2030-01"\n', "reform.toml: adjustment: list: The window of list 2030-01 closes"),
            (COMPRESSION + 'list = "soon"\n', "reform.toml: adjustment: list: "),
            (COMPRESSION + 'speed = "blitz"\n', "reform.toml: adjustment: speed: "),
        ],
    )  # fmt: skip
    def test_what_cannot_come_into_force_is_refused_with_its_place(self, pool, text, line):
        with pytest.raises(RefusedError) as refused:
            draft(pool, text, OFFICER, TODAY)
        assert fault_line(refused.value.faults[0], "en").startswith(line)
        assert not reforms_of(pool)

    def test_where_every_event_makes_a_list_the_event_is_named(self):
        pool = example("hakodate")
        with pytest.raises(RefusedError) as refused:
            draft(pool, COMPRESSION, OFFICER, TODAY)
        assert "every event makes a list" in fault_line(refused.value.faults[0], "en")
        assert draft(pool, f'{COMPRESSION}list = "{names(pool)[-1]}"\n', OFFICER, TODAY).number == 1


class TestTheRehearsal:
    def test_an_adjustment_is_tried_on_the_last_list(self, pool):
        found = rehearse(pool, reform_for(pool, COMPRESSION, TODAY))
        effect, last = found.effect, names(pool)[-1]
        assert (effect.first, effect.last, effect.lists) == (last, last, 1)
        standard = effect.speeds[0]
        moved = {pair.player_id: pair for pair in found.pairs if pair.speed == standard.speed}
        for row in pool.lists.get(name=last).rows.filter(speed=standard.speed):
            pair = moved[row.player_id]
            wanted = row.rating if row.rating >= 2000 else (400 * 2000 + 600 * row.rating + 500) // 1000
            assert (pair.before, pair.after) == (row.rating, wanted)
        assert standard.down == 0
        assert standard.up == sum(pair.before < pair.after for pair in moved.values())
        parts = {part.part: (part.before, part.after) for part in standard.account}
        assert parts[ADJUSTMENTS] == (0, 100 * sum(pair.after - pair.before for pair in moved.values()))
        assert sum(level.lost for level in standard.levels) == 0

    def test_numbers_are_tried_on_the_lists_of_a_year(self, pool):
        """As if the pool's edition of that day had had them."""
        found = rehearse(pool, reform_for(pool, K32, TODAY))
        ledger = read_book(pool)
        *_, last = history(ledger, list_names(ledger, None))
        before = {(pair.speed, pair.player_id): pair.before for pair in found.pairs}
        for speed, ratings in last.outcome.standings.ratings.items():
            for player, rating in ratings.items():
                assert before.get((speed, player)) == rating.value
        assert found.effect.lists > 3
        assert any(pair.before != pair.after for pair in found.pairs)
        standard = found.effect.speeds[0]
        assert standard.rated == standard.up + standard.down + sum(
            band.players for band in standard.bands if (band.low, band.high) == (0, 0)
        )
        assert sum(each.before for each in standard.hundreds) == standard.rated + standard.only_before

    @pytest.mark.usefixtures("either_engine")
    def test_it_is_what_the_reform_in_force_would_have_made(self):
        """The same reform entered as of the first list that is tried, and the pool rated anew."""
        pool = published("japan")
        reform = reform_for(pool, BOTH, TODAY)
        found = rehearse(pool, reform)
        first = rules_of(pool).schedule.window_named(found.effect.first)
        then = replace(reform, start=first.closes)
        made = rules_in_force(pool, then, Signatures(("A", "B"), date(2024, 1, 1)), "reform-1.toml")
        change_rules(pool, "Made", made.editions, CHIEF, "as of then", made.files)
        entered = adjustment_of(pool, then, "Board")
        assert entered.list == found.effect.first
        book = read_book(pool)
        ledger = replace(book, adjustments=[entered])
        *_, last = history(ledger, list_names(ledger, found.effect.last))
        after = {(pair.speed, pair.player_id): pair.after for pair in found.pairs}
        ratings = last.outcome.standings.ratings
        assert after == {
            (speed, player): rating.value for speed, of in ratings.items() for player, rating in of.items()
        }

    def test_the_columns_of_the_account_add_up_to_the_change_of_the_pool(self, pool):
        found = rehearse(pool, reform_for(pool, BOTH, TODAY))
        for speed in found.effect.speeds:
            own = [pair for pair in found.pairs if pair.speed == speed.speed]
            moved = sum((pair.after or 0) - (pair.before or 0) for pair in own)
            assert sum(part.after - part.before for part in speed.account) == 100 * moved

    def test_a_book_with_classes_has_its_own_levels(self):
        pool = published("hakodate")
        text = f'{COMPRESSION}list = "{names(pool)[-1]}"\n'
        found = rehearse(pool, reform_for(pool, text, TODAY))
        assert {each.level for each in found.effect.speeds[0].levels} == {1200, 1400, 1600, 1800}

    def test_a_pool_without_a_list(self):
        pool = open_pool("new", "New", Edition("jcf-2024", date(2024, 1, 1), {}), CHIEF)
        with pytest.raises(NothingToRehearseError):
            rehearse(pool, reform_for(pool, K32, TODAY))


class TestTheWay:
    def test_numbers_come_into_force_on_their_day_as_the_next_edition(self, pool):
        reform = announced(pool, K32)
        assert bring_due_reforms_into_force(FROM - timedelta(days=1)) == 0
        before = rules_of(pool).editions
        assert bring_due_reforms_into_force(FROM) == 1
        *earlier, edition = rules_of(pool).editions
        assert tuple(earlier) == before
        assert (edition.start, edition.book.parameters.whole("k_new")) == (FROM, 32)
        assert (edition.reform.name, asdict(edition.settings)) == ("K 32", asdict(before[-1].settings))
        assert edition.reform.signed.by == ("officer", "second")
        found = progress_of(reform)
        assert found.state == "in-force"
        assert (found.in_force.author, found.in_force.entry.author) == ("chief", "chief")
        assert found.in_force.entry.why == "K 32: Board, item 3"
        assert bring_due_reforms_into_force(FROM) == 0

    def test_a_second_reform_keeps_the_numbers_of_the_first(self, pool):
        announced(pool, K32)
        bring_due_reforms_into_force(FROM)
        announced(pool, K32.replace("k_new", "limit").replace("= 32", "= 350"))
        bring_due_reforms_into_force(FROM)
        edition = rules_of(pool).editions[-1]
        assert edition.reform.changes == {("jcf", "k_new"): 32, ("jcf", "limit"): 350}
        assert [each.start for each in rules_of(pool).editions].count(FROM) == 1

    @pytest.mark.parametrize("days", [[FROM], [FROM - timedelta(days=5), FROM]])
    def test_reforms_come_into_force_in_the_order_of_their_days(self, pool, days):
        """Whether the office was at work on each day or not, and whichever was announced first."""
        announced(pool, K32.replace("k_new", "limit").replace("= 32", "= 350"))
        announced(pool, K32.replace(str(FROM), str(FROM - timedelta(days=5))))
        assert sum(map(bring_due_reforms_into_force, days)) == 2
        made = [(each.start, dict(each.reform.changes)) for each in rules_of(pool).editions if each.reform]
        assert made == [
            (FROM - timedelta(days=5), {("jcf", "k_new"): 32}),
            (FROM, {("jcf", "k_new"): 32, ("jcf", "limit"): 350}),
        ]

    def test_a_file_that_an_imported_ledger_brought_stays(self, pool):
        """The editions that name it are rated by it."""
        with new_entry(pool, Act("x", "x")) as entry:
            add_files(entry, {"reform-1.toml": "of before"})
        announced(pool, K32)
        bring_due_reforms_into_force(FROM)
        assert files_of(pool)["reform-1.toml"] == "of before"
        assert rules_of(pool).editions[-1].reform.source == "reform-1-2.toml"

    def test_an_adjustment_comes_into_force_as_an_act(self, pool):
        reform = announced(pool, BOTH)
        bring_due_reforms_into_force(FROM)
        (row,) = read_book(pool).adjustments
        assert (row.list, row.speed, row.decision) == ("2030-03", "standard", "Board, item 3")
        assert rules_of(pool).editions[-1].book.parameters.whole("k_new") == 32
        assert progress_of(reform).in_force.entry.act == "adjust"

    @pytest.mark.parametrize(
        "second",
        [
            pytest.param(BOTH, id="the same"),
            pytest.param(COMPRESSION, id="of every speed"),
            pytest.param(BOTH.replace('"1000:', '"01000:'), id="written otherwise"),
        ],
    )
    def test_of_two_with_the_same_adjustment_the_second_is_stopped(self, pool, second):
        announced(pool, BOTH)
        announced(pool, second)
        assert bring_due_reforms_into_force(FROM) == 1
        assert len(read_book(pool).adjustments) == 1
        (stopped,) = ReformStep.objects.filter(act=ReformStep.Act.STOPPED)
        assert "adjusted twice" in stopped.facts["refused"]["en"]

    def test_the_same_adjustment_of_another_speed_is_another_one(self, pool):
        announced(pool, BOTH)
        announced(pool, BOTH.replace('"standard"', '"rapid"'))
        assert bring_due_reforms_into_force(FROM) == 2

    def test_everything_is_in_the_journal(self, pool):
        announced(pool, K32)
        bring_due_reforms_into_force(FROM)
        acts = JournalEntry.objects.filter(what__reform=1).order_by("pk").values_list("act", "who")
        assert list(acts) == [
            ("draft-reform", "officer"), ("rehearse-reform", "officer"), ("decide-reform", "officer"),
            ("sign-reform", "second"), ("announce-reform", "chief"), ("reform-in-force", "chief"),
        ]  # fmt: skip

    def test_a_changed_draft_needs_all_of_it_anew(self, pool):
        reform, seen = rehearsed(pool, K32)
        decide(reform, seen, "Board", TODAY, "", OFFICER, TODAY)
        sign(reform, seen, SECOND, TODAY)
        draft_again(reform, K32.replace("32\n", "24\n"), seen, SECOND, TODAY)
        found = progress_of(reform)
        assert (found.state, found.rehearsal, found.decision, found.signature) == (
            "drafted",
            None,
            None,
            None,
        )
        with pytest.raises(ReformChangedError):
            sign(reform, seen, CHIEF, TODAY)
        with pytest.raises(NotRehearsedError):
            decide(reform, found.draft.sha256, "Board", TODAY, "", OFFICER, TODAY)

    def test_the_same_draft_changes_nothing(self, pool):
        reform, seen = rehearsed(pool, K32)
        draft_again(reform, K32, seen, SECOND, TODAY)
        assert progress_of(reform).state == "rehearsed"

    def test_another_decision_needs_another_signature(self, pool):
        reform, seen = rehearsed(pool, K32)
        decide(reform, seen, "Board", TODAY, "", OFFICER, TODAY)
        sign(reform, seen, SECOND, TODAY)
        decide(reform, seen, "Assembly", TODAY, "", OFFICER, TODAY)
        with pytest.raises(NotSignedError):
            announce(reform, seen, CHIEF, TODAY)

    def test_who_drafted_does_not_sign(self, pool):
        reform, seen = rehearsed(pool, K32)
        with pytest.raises(NotDecidedError):
            sign(reform, seen, SECOND, TODAY)
        with pytest.raises(DecisionDayError):
            decide(reform, seen, "Board", TODAY + timedelta(days=1), "", OFFICER, TODAY)
        decide(reform, seen, "Board", TODAY, "", SECOND, TODAY)
        with pytest.raises(DraftersOwnError):
            sign(reform, seen, OFFICER, TODAY)
        with pytest.raises(NotSignedError):
            announce(reform, seen, CHIEF, TODAY)

    def test_after_its_first_day_it_is_neither_signed_nor_announced(self, pool):
        reform, seen = rehearsed(pool, K32)
        decide(reform, seen, "Board", TODAY, "", OFFICER, TODAY)
        late = FROM + timedelta(days=1)
        with pytest.raises(ReformDayError):
            sign(reform, seen, SECOND, late)
        sign(reform, seen, SECOND, FROM)
        with pytest.raises(ReformDayError):
            announce(reform, seen, CHIEF, late)

    def test_what_is_announced_can_only_be_withdrawn(self, pool):
        reform = announced(pool, K32)
        seen = progress_of(reform).draft.sha256
        for act in (
            lambda: draft_again(reform, K32, seen, OFFICER, TODAY),
            lambda: decide(reform, seen, "Board", TODAY, "", OFFICER, TODAY),
            lambda: sign(reform, seen, SECOND, TODAY),
            lambda: announce(reform, seen, CHIEF, TODAY),
        ):
            with pytest.raises(ReformClosedError):
                act()
        with pytest.raises(NotAnnouncedError):
            bring_into_force(reform, CHIEF, TODAY)
        withdraw(reform, "The assembly said no.", CHIEF)
        assert bring_due_reforms_into_force(FROM) == 0
        assert progress_of(reform).state == "withdrawn"
        with pytest.raises(ReformClosedError):
            withdraw(reform, "again", CHIEF)
        assert [each.reform for each in announced_reforms(pool)] == [reform]

    def test_what_is_in_force_is_not_withdrawn(self, pool):
        reform = announced(pool, K32)
        bring_due_reforms_into_force(FROM)
        with pytest.raises(ReformClosedError):
            withdraw(reform, "too late", CHIEF)


class TestStopped:
    def test_what_is_refused_on_its_day_waits_for_a_chief_officer(self, pool, monkeypatch):
        reform = announced(pool, BOTH)
        with monkeypatch.context() as patch:

            def refuse(*_):
                raise FrozenAdjustmentError(list="2030-03")

            patch.setattr(reform_acts, "enter_adjustment", refuse)
            assert bring_due_reforms_into_force(FROM) == 0
        assert len(rules_of(pool).editions) == 2
        found = progress_of(reform)
        assert "2030-03" in found.stop.facts["refused"]["en"]
        assert bring_due_reforms_into_force(FROM) == 0
        bring_into_force(reform, CHIEF, FROM)
        assert progress_of(reform).state == "in-force"

    def test_another_book_rates_the_pool_on_its_day(self, pool):
        """Refused as its draft would be, and nothing of it done."""
        reform = announced(pool, BOTH)
        other = Edition("ncs-2022", FROM - timedelta(days=3), {})
        change_rules(pool, "Japan", [*editions(pool), other], CHIEF, "why", {})
        assert bring_due_reforms_into_force(FROM) == 0
        refused = progress_of(reform).stop.facts["refused"]["en"]
        assert refused.startswith(f"reform.toml: On {FROM} this pool is rated by ncs-2022, which has")
        assert (len(rules_of(pool).editions), len(read_book(pool).adjustments)) == (3, 0)

    def test_a_later_edition_of_the_book_in_which_it_would_be_lost(self, pool):
        reform, seen = rehearsed(pool, K32)
        decide(reform, seen, "Board", TODAY, "", OFFICER, TODAY)
        sign(reform, seen, SECOND, TODAY)
        own, later = editions(pool), FROM + timedelta(days=60)
        change_rules(pool, "Japan", [*own, own[-1]._replace(start=later)], CHIEF, "why", {})
        for act in (
            lambda: announce(reform, seen, CHIEF, TODAY),
            lambda: draft(pool, K32, OFFICER, TODAY),
        ):
            with pytest.raises(RefusedError) as refused:
                act()
            line = fault_line(refused.value.faults[0], "en")
            assert line.startswith(
                f"reform.toml: from: From {later} on another edition of jcf-2024 rates this"
            )
        draft(pool, K32.replace(str(FROM), str(later)), OFFICER, TODAY)
        draft(pool, COMPRESSION, OFFICER, TODAY)
        change_rules(pool, "Japan", own, CHIEF, "why", {})
        announce(reform, seen, CHIEF, TODAY)
        change_rules(pool, "Japan", [*own, own[-1]._replace(start=later)], CHIEF, "why", {})
        assert bring_due_reforms_into_force(FROM) == 0
        assert str(later) in progress_of(reform).stop.facts["refused"]["en"]
        assert len(rules_of(pool).editions) == len(own) + 1

    @pytest.mark.parametrize("text", [K32, BOTH])
    def test_late_it_does_not_change_a_list_that_is_frozen(self, pool, text):
        last = current_lists(pool).first()
        start = last.closes
        early = start - timedelta(days=1)
        reform = draft(pool, text.replace(str(FROM), str(start)), OFFICER, early)
        seen = progress_of(reform).draft.sha256
        for act in ("rehearsed", "minuted", "signed", "announced"):
            reform.steps.create(at=progress_of(reform).draft.at, author=act, act=act, sha256=seen)
        frozen = known_until(last)
        with pytest.raises(FrozenListError) as refused:
            bring_into_force(reform, CHIEF, frozen)
        assert refused.value.facts == {"list": last.name}
        assert progress_of(reform).in_force is None
        if text == K32:
            bring_into_force(reform, CHIEF, frozen - timedelta(days=1))
            assert progress_of(reform).in_force

    def test_its_book_is_gone(self, pool, monkeypatch):
        reform = announced(pool, K32)
        rest = {name: book for name, book in BOOKS.items() if book.prefix != "JCF"}
        with monkeypatch.context() as patch:
            patch.setattr(reforms, "BOOKS", rest)
            found = progress_of(reform)
            assert (found.name, found.start, found.file) == ("K 32", FROM, None)
            assert bring_due_reforms_into_force(FROM) == 0
        assert "prefix" in progress_of(reform).stop.facts["refused"]["en"]
        bring_into_force(reform, CHIEF, FROM)

    def test_after_a_restore_nothing_comes_into_force_by_itself(self, pool):
        reform = announced(pool, K32)
        stop_restored_work(progress_of(reform).draft.at)
        stop_restored_work(progress_of(reform).draft.at)
        assert ReformStep.objects.filter(act="stopped").count() == 1
        assert bring_due_reforms_into_force(FROM) == 0
        bring_into_force(reform, CHIEF, FROM)
        assert progress_of(reform).in_force


@pytest.mark.slow
def test_the_lists_that_follow_are_made_with_it(pool):
    """A list before its day is made as it was; the edition makes those after it."""
    announced(pool, K32)
    bring_due_reforms_into_force(FROM)
    late = FROM + timedelta(days=90)
    (made, *_) = publish(pool, "2030-01", CHIEF, late)
    assert made.name
    assert rules_of(pool).schedule.edition_of(rules_of(pool).schedule.window_named("2030-01")).reform is None
    assert rules_of(pool).schedule.edition_of(rules_of(pool).schedule.window_named("2030-03")).reform


def test_officers_hear_where_a_reform_has_come_to(pool, mailoutbox, django_capture_on_commit_callbacks):
    OfficeSettings.objects.update_or_create(pk=1, defaults={"sends_notices": True})
    for name, wants in (("second", True), ("mute", False)):
        user = get_user_model().objects.create_user(name, email=f"{name}@example.org")
        Role.objects.create(user=user, pool=pool, kind="officer", wants_notices=wants)
    with django_capture_on_commit_callbacks(execute=True):
        announced(pool, K32)
        bring_due_reforms_into_force(FROM)
    assert [mail.to for mail in mailoutbox] == [["second@example.org"]] * 3
    assert [mail.subject.rpartition(" / ")[2] for mail in mailoutbox] == [
        "Reform 1: decided, to be signed",
        "Reform 1: signed, to be announced",
        "Reform 1 is in force",
    ]
    assert all("/office/japan/reforms/1/" in mail.body for mail in mailoutbox)


def test_officers_hear_that_a_reform_was_stopped(
    pool, mailoutbox, monkeypatch, django_capture_on_commit_callbacks
):
    OfficeSettings.objects.update_or_create(pk=1, defaults={"sends_notices": True})
    user = get_user_model().objects.create_user("second", email="second@example.org")
    Role.objects.create(user=user, pool=pool, kind="officer", wants_notices=True)
    announced(pool, K32)
    rest = {name: book for name, book in BOOKS.items() if book.prefix != "JCF"}
    monkeypatch.setattr(reforms, "BOOKS", rest)
    with django_capture_on_commit_callbacks(execute=True):
        bring_due_reforms_into_force(FROM)
    assert [mail.subject.rpartition(" / ")[2] for mail in mailoutbox] == ["Reform 1 did not come into force"]
