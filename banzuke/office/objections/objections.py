"""Taking objections in, within limits; appealing a decision; forgetting addresses."""

from datetime import UTC, date, datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from django.db import transaction
from django.utils.crypto import salted_hmac

from banzuke.database.book_reader import MissingBookError
from banzuke.database.models import Inquiry, InquiryStep, Objection, Pool
from banzuke.ledger.written_text import CONTROL, tidy
from banzuke.office import notices
from banzuke.office.journal import Actor, add_step, note
from banzuke.office.lists import corrections
from banzuke.office.lists.list_index import known_until
from banzuke.office.objections import secret_links
from banzuke.office.objections.subjects import GameOfPlayer, Subject
from banzuke.office.refusals import AppealClosedError, SameObjectionError, TooManyObjectionsError

#: So many objections are taken a day from one address (of IPv6: one network of 64 bits), and in all.
MOST_OF_ADDRESS, MOST_OF_DAY = 5, 100
#: So many letters the texts have at most.
LONGEST, LONGEST_RIGHT, LONGEST_NAME = 2_000, 500, 100
#: So long after an inquiry was closed the writer's address is kept.
KEPT = timedelta(days=30)
#: Who writes has no name here.
VISITOR = Actor("")
#: The bits that an address of IPv6 has in common with all others of one connection.
_NETWORK = 64


class Said(NamedTuple):
    """What somebody wrote: what is wrong, what would be right, who it is, and an address (blank: none)."""

    about: str
    who: str
    change: str = ""
    right: str = ""
    email: str = ""


class Taken(NamedTuple):
    """An objection that was taken in, and the token of its page, which is not kept."""

    objection: Objection
    token: str


def open_objection(
    pool: Pool, subject: Subject, game: GameOfPlayer | None, said: Said, address: str, today: date, site: str
) -> Taken:
    """Open an inquiry for somebody without an account, who wrote from that network address.

    Raises TooManyObjectionsError, SameObjectionError.
    """
    sender, salt = _sender(address, today), secret_links.new_salt()
    token = secret_links.token_of(salt)
    with transaction.atomic():
        Pool.objects.select_for_update().get(pk=pool.pk)
        about = plain_text(said.about)
        _refuse_flood(sender, about)
        inquiry = corrections.open_inquiry(pool, today, plain_line(said.who), about, VISITOR)
        objection = Objection.objects.create(
            inquiry=inquiry,
            received_at=datetime.now(UTC),
            subject=subject.kind,
            list=subject.list,
            speed=subject.speed,
            event_id=subject.event_id,
            round=game.line.round if game else None,
            player_id=subject.player.player_id if subject.player else "",
            opponent_id=game.line.opponent_id if game else "",
            change=said.change,
            right=plain_line(said.right),
            token_sha256=secret_links.hash_of(token),
            sender=sender,
            email=said.email,
            site=site if said.email else "",
            salt=salt if said.email else "",
        )
        notices.notify_of_inquiry(inquiry, "received")
    return Taken(objection, token)


def _sender(address: str, today: date) -> str:
    """What a network address is known by on one day, and no longer."""
    try:
        found = ip_address(address)
    except ValueError:  # on a socket of the machine
        network = address
    else:
        is_long = isinstance(found, IPv6Address)
        network = str(ip_network((found, _NETWORK), strict=False)) if is_long else str(found)
    return salted_hmac("objection-sender", f"{today} {network}", algorithm="sha256").hexdigest()


def _refuse_flood(sender: str, about: str) -> None:
    since = datetime.now(UTC) - timedelta(days=1)
    recent = Objection.objects.filter(received_at__gte=since)
    mine = recent.filter(sender=sender)
    same = mine.filter(inquiry__about=about, inquiry__state=Inquiry.State.OPEN).first()
    if same is not None:
        raise SameObjectionError(inquiry=same.inquiry_id)
    if mine.count() >= MOST_OF_ADDRESS:
        raise TooManyObjectionsError(most=MOST_OF_ADDRESS)
    if recent.count() >= MOST_OF_DAY:
        raise TooManyObjectionsError(most=MOST_OF_DAY)


def plain_line(text: str) -> str:
    """A text in one line, without signs that nobody sees, that turn it round or that a program obeys."""
    return CONTROL.sub("", tidy(" ".join(text.split())))


def plain_text(text: str) -> str:
    """The same of a text of many lines, which stay."""
    return "\n".join(plain_line(line) for line in text.splitlines()).strip()


def last_day_to_appeal(objection: Objection) -> date | None:
    """The last of the book's correction days of its list; None: there is no last day."""
    try:
        known = known_until(objection.list) if objection.list else None
    except MissingBookError:
        return None
    return known and known - timedelta(days=1)


def may_appeal(objection: Objection, today: date) -> bool:
    """Whether the decision can be appealed: a refusal, not appealed before, whose days are not over."""
    inquiry, last = objection.inquiry, last_day_to_appeal(objection)
    if inquiry.state != Inquiry.State.DISMISSED or (last is not None and today > last):
        return False
    return not inquiry.steps.filter(state=InquiryStep.Act.APPEALED).exists()


def appeal(objection: Objection, why: str, today: date) -> None:
    """Appeal the decision, once: the inquiry is open again. Raises AppealClosedError."""
    with transaction.atomic():
        objection.inquiry = Inquiry.objects.select_for_update().get(pk=objection.inquiry_id)
        if not may_appeal(objection, today):
            raise AppealClosedError
        inquiry = objection.inquiry
        inquiry.state = Inquiry.State.OPEN
        inquiry.save(update_fields=["state"])
        add_step(inquiry, InquiryStep.Act.APPEALED, VISITOR, plain_text(why), is_state=False)
        note(VISITOR, "appeal", inquiry.pool, inquiry=inquiry.pk)
        notices.notify_of_inquiry(inquiry, "appealed")


def forget_addresses(now: datetime) -> int:
    """Delete the addresses of those whose inquiries were closed long enough ago; how many."""
    kept = Objection.objects.exclude(email="").exclude(inquiry__state=Inquiry.State.OPEN)
    late = InquiryStep.objects.filter(at__gt=now - KEPT).values("inquiry")
    return kept.exclude(inquiry__in=late).update(email="", site="", salt="")
