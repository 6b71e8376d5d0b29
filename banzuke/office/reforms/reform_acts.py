"""What is done about a reform, each act once and by whom it may be, until it is in force or withdrawn.

A signature is for one file and one decision: a changed draft needs a new rehearsal, a new decision and a new
signature. Once a reform is announced it can only be withdrawn.
"""

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Max
from django.utils.timezone import localdate

from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import rules_of
from banzuke.database.models import Pool, Reform, ReformStep
from banzuke.ledger import reforms
from banzuke.ledger.reforms import Signatures
from banzuke.office.administration.pools import change_rules
from banzuke.office.journal import Actor, note
from banzuke.office.json_codec import from_json, to_json
from banzuke.office.lists.adjustments import enter_adjustment
from banzuke.office.lists.list_index import current_lists, known_until
from banzuke.office.notices import notify_officers_of_reform
from banzuke.office.page_words import page_line
from banzuke.office.reforms.reform_files import (
    adjustment_of,
    free_file,
    hash_of,
    read_text,
    reform_for,
    rules_in_force,
)
from banzuke.office.reforms.reform_rehearsal import Effect, Pair, Rehearsed
from banzuke.office.refusals import (
    DecisionDayError,
    DraftersOwnError,
    FrozenListError,
    NotAnnouncedError,
    NotDecidedError,
    NotDoneError,
    NotRehearsedError,
    NotSignedError,
    ReformChangedError,
    ReformClosedError,
    ReformDayError,
    refusal_sentence,
)
from banzuke.words import LANGUAGES, Language

Act = ReformStep.Act
#: The acts in the journal.
DRAFT, REHEARSE, DECIDE, SIGN = "draft-reform", "rehearse-reform", "decide-reform", "sign-reform"
ANNOUNCE, BRING, STOP, WITHDRAW = "announce-reform", "reform-in-force", "reform-stopped", "withdraw-reform"


class Progress(NamedTuple):
    """Where a reform stands: its last draft, and what was done about that draft; None: not yet.

    `state` is the last act that decides what comes next.
    """

    reform: Reform
    steps: list[ReformStep]
    draft: ReformStep
    rehearsal: ReformStep | None = None
    decision: ReformStep | None = None
    signature: ReformStep | None = None
    announcement: ReformStep | None = None
    in_force: ReformStep | None = None
    stop: ReformStep | None = None
    withdrawal: ReformStep | None = None

    @property
    def name(self) -> str:
        """What the draft is called."""
        return str(tomllib.loads(self.draft.file)["name"])

    @property
    def start(self) -> date:
        """The first day of the draft."""
        start: date = tomllib.loads(self.draft.file)["from"]
        return start

    @property
    def file(self) -> reforms.Reform | None:
        """The reform of the draft; None where a book that it names is not installed any more."""
        with suppress(RefusedError):
            return read_text(self.draft.file)
        return None

    @property
    def state(self) -> str:
        """The furthest that it has come."""
        found = (
            self.withdrawal,
            self.in_force,
            self.announcement,
            self.signature,
            self.decision,
            self.rehearsal,
        )
        return next((step.act for step in found if step is not None), Act.DRAFTED)

    @property
    def is_open(self) -> bool:
        """Whether it can be changed: it is neither announced nor withdrawn."""
        return self.announcement is None and self.withdrawal is None

    @property
    def waits(self) -> bool:
        """Whether it is announced, and neither in force nor withdrawn."""
        return self.announcement is not None and self.in_force is None and self.withdrawal is None

    @property
    def needs_signature(self) -> bool:
        """Whether it is decided, and a second officer has not signed it."""
        return self.is_open and self.decision is not None and self.signature is None

    @property
    def effect(self) -> Effect | None:
        """What the rehearsal of the draft found."""
        facts = self.rehearsal.facts if self.rehearsal else None
        return from_json(Effect, facts["effect"]) if facts else None

    @property
    def movers(self) -> list[Pair]:
        """Who moves most, for officers alone."""
        facts = self.rehearsal.facts if self.rehearsal else None
        return from_json(list[Pair], facts["movers"]) if facts else []


def progress_of(reform: Reform) -> Progress:
    """Where a reform stands."""
    steps = list(reform.steps.order_by("pk"))
    found = Progress(reform, steps, steps[0])
    for step in steps:
        found = _after(found, step)
    return found


def _after(found: Progress, step: ReformStep) -> Progress:
    match step.act:
        case Act.DRAFTED:
            return Progress(found.reform, found.steps, step, withdrawal=found.withdrawal)
        case Act.REHEARSED:
            return found._replace(rehearsal=step)
        case Act.MINUTED:
            return found._replace(decision=step, signature=None)
        case Act.SIGNED:
            return found._replace(signature=step)
        case Act.ANNOUNCED:
            return found._replace(announcement=step)
        case Act.IN_FORCE:
            return found._replace(in_force=step)
        case Act.STOPPED:
            return found._replace(stop=step)
    return found._replace(withdrawal=step)


def reforms_of(pool: Pool) -> list[Progress]:
    """All reforms of a pool, the newest first."""
    return [progress_of(each) for each in pool.reforms.order_by("-number")]


def announced_reforms(pool: Pool) -> list[Progress]:
    """Those that were ever announced, the newest first."""
    known = ReformStep.objects.filter(reform__pool=pool, act=Act.ANNOUNCED).values("reform")
    return [progress_of(each) for each in pool.reforms.filter(pk__in=known).order_by("-number")]


def reforms_due_by(pool: Pool, day: date) -> list[Progress]:
    """The announced reforms that come into force by themselves until the end of a day, the newest first.

    A list that is planned for later stops: it was rehearsed without what they enter.
    """
    return [each for each in announced_reforms(pool) if each.waits and not each.stop and each.start <= day]


# Acts


@contextmanager
def _locked(reform: Reform) -> Iterator[Progress]:
    """Where the reform stands, in a transaction in which nobody else acts on the pool."""
    with transaction.atomic():
        Pool.objects.select_for_update().get(pk=reform.pool_id)
        yield progress_of(reform)


def _add(reform: Reform, act: Act, actor: Actor, in_journal: str, sha256: str, **more: Any) -> ReformStep:
    note(actor, in_journal, reform.pool, reform=reform.number, sha256=sha256)
    return ReformStep.objects.create(
        reform=reform, at=datetime.now(UTC), author=actor.name, act=act, sha256=sha256, **more
    )


def draft(pool: Pool, text: str, actor: Actor, today: date) -> Reform:
    """A new reform. Raises RefusedError for a file that cannot come into force in the pool."""
    reform_for(pool, text, today)
    with transaction.atomic():
        Pool.objects.select_for_update().get(pk=pool.pk)
        last = pool.reforms.aggregate(last=Max("number"))["last"] or 0
        reform = Reform.objects.create(pool=pool, number=last + 1)
        _add(reform, Act.DRAFTED, actor, DRAFT, hash_of(text), file=text)
    return reform


def draft_again(reform: Reform, text: str, seen: str, actor: Actor, today: date) -> None:
    """Another file; `seen` is the hash of the one that the officer changed.

    Nothing is done where the file is the same. Raises RefusedError as `draft` does, ReformClosedError,
    ReformChangedError.
    """
    reform_for(reform.pool, text, today)
    with _locked(reform) as found:
        _refuse_closed(found)
        _refuse_changed(found, seen)
        if hash_of(text) != found.draft.sha256:
            _add(reform, Act.DRAFTED, actor, DRAFT, hash_of(text), file=text)


def keep_rehearsal(reform: Reform, seen: str, rehearsed: Rehearsed, actor: Actor) -> None:
    """Keep what the rehearsal of a file found. Raises ReformClosedError, ReformChangedError."""
    facts = {"effect": to_json(rehearsed.effect), "movers": to_json(rehearsed)["movers"]}
    with _locked(reform) as found:
        _refuse_closed(found)
        _refuse_changed(found, seen)
        _add(reform, Act.REHEARSED, actor, REHEARSE, seen, facts=facts)


def decide(reform: Reform, seen: str, text: str, day: date, link: str, actor: Actor, today: date) -> None:
    """Note what was decided about the file with that hash, on which day, and where it can be read.

    Raises ReformClosedError, ReformChangedError, NotRehearsedError, DecisionDayError for a day to come.
    """
    if day > today:
        raise DecisionDayError(day=day)
    with _locked(reform) as found:
        _refuse_closed(found)
        _refuse_changed(found, seen)
        if found.rehearsal is None:
            raise NotRehearsedError
        _add(reform, Act.MINUTED, actor, DECIDE, seen, text=text, day=day, link=link)
        notify_officers_of_reform(reform, "reform-decided")


def sign(reform: Reform, seen: str, actor: Actor, today: date) -> None:
    """Sign the file with that hash, as decided. Whoever drafted it does not.

    Raises ReformClosedError, ReformChangedError, NotDecidedError, DraftersOwnError, ReformDayError.
    """
    with _locked(reform) as found:
        _refuse_closed(found)
        _refuse_changed(found, seen)
        if found.decision is None:
            raise NotDecidedError
        if actor.name == found.draft.author:
            raise DraftersOwnError(author=actor.name)
        _refuse_late(found, today)
        _add(reform, Act.SIGNED, actor, SIGN, seen)
        notify_officers_of_reform(reform, "reform-signed")


def announce(reform: Reform, seen: str, actor: Actor, today: date) -> None:
    """Announce what was signed, on the public pages; on its first day it comes into force by itself.

    Raises ReformClosedError, ReformChangedError, NotSignedError, ReformDayError, and RefusedError where it
    could not come into force in the pool as it is now.
    """
    with _locked(reform) as found:
        _refuse_closed(found)
        _refuse_changed(found, seen)
        if found.signature is None:
            raise NotSignedError
        _refuse_late(found, today)
        reform_for(reform.pool, found.draft.file, today)
        _add(reform, Act.ANNOUNCED, actor, ANNOUNCE, seen)


def withdraw(reform: Reform, why: str, actor: Actor) -> None:
    """Withdraw a reform that is not in force. Raises ReformClosedError."""
    with _locked(reform) as found:
        if found.in_force is not None or found.withdrawal is not None:
            raise ReformClosedError
        _add(reform, Act.WITHDRAWN, actor, WITHDRAW, found.draft.sha256, text=why)


def bring_into_force(reform: Reform, actor: Actor, today: date) -> None:
    """Enter the numbers as the pool's next edition, the adjustment as an act: both or neither.

    Raises NotAnnouncedError before its day, and for what is not announced, in force or withdrawn;
    FrozenListError where the numbers come too late for a published list; RefusedError and what
    `enter_adjustment` raises where the pool does not take it any more.
    """
    with _locked(reform) as found:
        pool = reform.pool
        if not found.waits or found.signature is None or found.decision is None or found.start > today:
            raise NotAnnouncedError
        file = reform_for(pool, found.draft.file, found.start)
        why = f"{file.name}: {found.decision.text}"
        if file.changes:
            _refuse_frozen(pool, file.start, today)
            by = (found.draft.author, found.signature.author)
            signed = Signatures(by, min(localdate(found.signature.at), file.start))
            made = rules_in_force(pool, file, signed, free_file(pool, reform.number))
            rules = rules_of(pool)
            change_rules(pool, rules.name, made.editions, actor, why, made.files, rules.name_native)
        if file.adjustment is not None:
            enter_adjustment(pool, adjustment_of(pool, file, found.decision.text), actor, today, file.name)
        entry = pool.entries.latest("pk")
        _add(reform, Act.IN_FORCE, actor, BRING, found.draft.sha256, entry=entry)
        notify_officers_of_reform(reform, "reform-in-force")


def bring_due_reforms_into_force(today: date) -> int:
    """Bring into force what is announced and due, in the name of who announced it; how many there were.

    What is refused is stopped, with the reason, until a chief officer brings it into force.
    """
    over = ReformStep.objects.filter(act__in=(Act.IN_FORCE, Act.STOPPED, Act.WITHDRAWN)).values("reform")
    announced = Reform.objects.filter(steps__act=Act.ANNOUNCED).exclude(pk__in=over).order_by("pk")
    # by their days, whatever day they were announced: the numbers of an earlier one hold on in a later one
    waiting = sorted(announced.select_related("pool"), key=lambda reform: progress_of(reform).start)
    return sum(_bring(each, today) for each in waiting)


def _bring(reform: Reform, today: date) -> bool:
    found = progress_of(reform)
    if found.announcement is None or found.start > today:
        return False
    actor = Actor(found.announcement.author)
    try:
        bring_into_force(reform, actor, today)
    except NotAnnouncedError:  # somebody was faster
        return False
    except (NotDoneError, RefusedError) as refusal:
        why = {lang: _why(refusal, lang) for lang in LANGUAGES}
        with _locked(reform) as now:
            if now.waits and now.stop is None:
                _add(reform, Act.STOPPED, actor, STOP, found.draft.sha256, facts={"refused": why})
                notify_officers_of_reform(reform, "reform-stopped")
        return False
    return True


def _why(refusal: NotDoneError | RefusedError, lang: Language) -> str:
    if isinstance(refusal, RefusedError):
        return " ".join(page_line(each, lang) for each in refusal.faults)
    return refusal_sentence(refusal, lang)


# Refusals


def _refuse_closed(found: Progress) -> None:
    if not found.is_open:
        raise ReformClosedError


def _refuse_changed(found: Progress, seen: str) -> None:
    if found.draft.sha256 != seen:
        raise ReformChangedError


def _refuse_late(found: Progress, today: date) -> None:
    if found.start < today:
        raise ReformDayError(day=found.start)


def _refuse_frozen(pool: Pool, start: date, today: date) -> None:
    """The lists whose windows close from that day on would be made by other numbers."""
    for published in current_lists(pool).filter(closes__gte=start).order_by("closes", "name"):
        known = known_until(published)
        if known is not None and known <= today:
            raise FrozenListError(list=published.name)
