"""Taking objections in, within limits."""

from datetime import UTC, date, datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from banzuke.database.models import Inquiry, Objection, Pool
from banzuke.ledger.written_text import CONTROL, tidy
from banzuke.office import notices
from banzuke.office.journal import Actor
from banzuke.office.lists import corrections
from banzuke.office.objections import secret_links, writer_mails
from banzuke.office.objections.subjects import GameOfPlayer, Subject
from banzuke.office.refusals import SameObjectionError, TooManyObjectionsError

#: So many objections are taken a day from one address (of IPv6: one network of 64 bits), and in all.
MOST_OF_ADDRESS, MOST_OF_DAY = 5, 100
#: So many letters the texts have at most.
LONGEST, LONGEST_RIGHT, LONGEST_NAME = 2_000, 500, 100
#: Who writes has no name here.
VISITOR = Actor("")
#: The bits that an address of IPv6 has in common with all others of one connection.
_NETWORK = 64


class ObjectionText(NamedTuple):
    """What somebody wrote: what is wrong, what would be right, who it is, and an address (blank: none).

    `language` is the page's.
    """

    about: str
    who: str
    change: str = ""
    right: str = ""
    email: str = ""
    language: str = ""


class Receipt(NamedTuple):
    """An objection that was taken in, and the token of its page, which is not kept."""

    objection: Objection
    token: str


def open_objection(
    pool: Pool,
    subject: Subject,
    game: GameOfPlayer | None,
    statement: ObjectionText,
    address: str,
    today: date,
    site: str,
) -> Receipt:
    """Open an inquiry for somebody without an account, who wrote from that network address.

    Raises TooManyObjectionsError, SameObjectionError.
    """
    sender, salt = _sender(address, today), secret_links.new_salt()
    token = secret_links.token_of(salt)
    with transaction.atomic():
        Pool.objects.select_for_update().get(pk=pool.pk)
        about = plain_text(statement.about)
        what = _what_it_is_of(subject, game)
        _refuse_flood(sender, Objection.objects.filter(**what, inquiry__pool=pool, inquiry__about=about))
        inquiry = corrections.open_inquiry(pool, today, plain_line(statement.who), about, VISITOR)
        objection = Objection.objects.create(
            **what,
            inquiry=inquiry,
            received_at=datetime.now(UTC),
            change=statement.change,
            right=plain_line(statement.right),
            token_sha256=secret_links.hash_of(token),
            sender=sender,
            email=statement.email,
            site=site if statement.email else "",
            salt=salt if statement.email else "",
            language=statement.language,
        )
        writer_mails.notify_of_inquiry(inquiry, "received")
        notices.notify_officers_of_inquiry(inquiry, "objection-came")
    return Receipt(objection, token)


def _what_it_is_of(subject: Subject, game: GameOfPlayer | None) -> dict[str, Any]:
    """The columns of an objection that say what it is of."""
    return {
        "subject": subject.kind,
        "list": subject.list,
        "speed": subject.speed,
        "event_id": subject.event_id,
        "round": game.line.round if game else None,
        "player_id": subject.player.player_id if subject.player else "",
        "opponent_id": game.line.opponent_id if game else "",
    }


def _sender(address: str, today: date) -> str:
    """What a network address is known by on one day, and no longer."""
    try:
        found = ip_address(address)
    except ValueError:  # on a socket of the machine
        network = address
    else:
        found = getattr(found, "ipv4_mapped", None) or found
        is_long = isinstance(found, IPv6Address)
        network = str(ip_network((found, _NETWORK), strict=False)) if is_long else str(found)
    return salted_hmac("objection-sender", f"{today} {network}", algorithm="sha256").hexdigest()


def _refuse_flood(sender: str, alike: QuerySet[Objection]) -> None:
    """Refuse what is one too many, or one of those alike again."""
    since = datetime.now(UTC) - timedelta(days=1)
    recent = Objection.objects.filter(received_at__gte=since)
    mine = recent.filter(sender=sender)
    same = (mine & alike).filter(inquiry__state=Inquiry.State.OPEN).first()
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
