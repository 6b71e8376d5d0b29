"""Opens e-mails: who sent it and when it came, the files attached, and links to pages of Chess-Results.

What these are is settled so:

- The day on which a mail came is that of the topmost `Received` that can be read, else of `Date`, in the
  office's zone: one minute before midnight in Tokyo is another day in London. A mail passed on within another
  counts as of the outer one; its attachments and links are the outer one's.
- Attachments are parts with a file's name, and parts that are neither text nor a message. Packed files are
  not opened; `winmail.dat`, which only Outlook reads, is a fault, and so is a mail or an attachment that is
  cut off.
- The sender's name is what stands for one; where that is the address again, there is none.
- Names and subjects are decoded by RFC 2047 and 2231, encoded words within quotes too; unencoded ones by
  their bytes. Text called ISO-2022-JP may hold the signs of Windows (①, 髙).
- Headers are split by the policy `compat32`, which breaks on few of them; a name that it cannot read is none.
"""

import email
import html
import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from email import errors
from email.header import decode_header
from email.message import Message  # noqa: TC003 - the alias below needs it
from email.policy import Compat32
from email.utils import parseaddr, parsedate_to_datetime
from typing import Any, NamedTuple, TypeAlias

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.text import decode_text

Part: TypeAlias = "Message[str, str]"

#: The zone of the office's days.
JAPAN = timezone(timedelta(hours=9), "JST")
#: Parts of a mail, parts within parts, lines, and characters of a header: beyond is a trap or a mistake.
MOST_PARTS, MOST_DEPTH, MOST_LINES, LONGEST_HEADER = 200, 20, 500_000, 5_000
_HEAD = 64 * 1024
_HEADER = rb"(?:[!-9;-~]++:[^\r\n]*+(?:\r?\n|\r|\Z)(?:[ \t][^\r\n]*+(?:\r?\n|\r|\Z))*)"
_HEADERS = re.compile(rb"(?:\xef\xbb\xbf)?(?:From [^\r\n]*+\r?\n)?(" + _HEADER + rb"+)")
_KNOWN = re.compile(
    rb"(?im)^(From|Date|Received|Return-Path|MIME-Version|Message-ID|Subject|To|Delivered-To|Content-Type):"
)
_FEWEST_KNOWN = 2
_PART = re.compile(rb"(?i)(?:^|[\r\n])content-type:")
_WITHIN = re.compile(rb"(?i)\bboundary\s*+=|content-type:\s*+message/")
_LINK = re.compile(
    r"(?i)(?:(?<=%2F)|(?<![a-z0-9-]))chess-results\.com(?:/|%2F)(?:[a-z.]{1,20}(?:/|\?|%2F|%3F))?tnr(?:=|%3D)?0*([1-9]\d{0,8})(?!\d)"
)
_JIS = re.compile(rb"\x1b(\$[@B]|\([BJI])([^\x1b]*+)")
_LAST_NARROW, _LAST_LOW_ROW = 0x5F, 0x1E  # where CP932 leaves out a byte
_NO_CHARSETS = ("punycode", "idna")  # which take forever
_INVISIBLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]")
_DAMAGE = (
    errors.InvalidBase64CharactersDefect,
    errors.InvalidBase64LengthDefect,
    errors.InvalidBase64PaddingDefect,
)
_CUT_OFF = (errors.CloseBoundaryNotFoundDefect, errors.StartBoundaryNotFoundDefect)
#: What the standard library raises on a parameter that is parted wrongly (`filename*; filename*1*=`).
_BROKEN = (TypeError, ValueError, LookupError, AttributeError)
_TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")


class Mail(NamedTuple):
    """A mail: its sender, the day it came (None if it does not say), its attachments, every fault found.

    `links` are the pages of Chess-Results that its text names (`tnr1452107`), each once, in order.
    """

    sender_name: str
    sender_address: str
    received: date | None
    subject: str
    attachments: tuple[tuple[str, bytes], ...]
    links: tuple[str, ...]
    faults: tuple[Fault, ...] = ()


class _AsWritten(Compat32):
    """Headers as text whatever their bytes are, unfolded, and not beyond the longest."""

    def header_fetch_parse(self, name: str, value: str) -> str:  # noqa: ARG002 - the policy's own signature
        """The header's text, whichever it is."""
        raw = value[:LONGEST_HEADER].encode("ascii", "surrogateescape")
        return re.sub(r"[\r\n]", "", _any_text(raw))


def looks_like(data: bytes) -> bool:
    """Whether the file begins with headers, two of which every mail has."""
    found = _HEADERS.match(data[:_HEAD])
    known = _KNOWN.findall(found[1].replace(b"\r", b"\n")) if found else []
    return len({name.lower() for name in known}) >= _FEWEST_KNOWN


def read(data: bytes, file: str, zone: tzinfo = JAPAN) -> Mail:
    """Open the mail in `data`; raises nothing: see `Mail.faults`. `zone` is that of the office's days."""
    if not looks_like(data):
        return _refused_mail(fault(file, 0, "", "mail-no-mail"))
    lines = data.count(b"\n") + data.count(b"\r")
    if lines > MOST_LINES or len(_PART.findall(data)) > MOST_PARTS or len(_WITHIN.findall(data)) > MOST_DEPTH:
        return _refused_mail(fault(file, 0, "", "mail-too-large", parts=MOST_PARTS, lines=MOST_LINES))
    try:
        message = email.message_from_bytes(data.removeprefix(b"\xef\xbb\xbf"), policy=_AsWritten())
    except _BROKEN:
        return _refused_mail(fault(file, 0, "Content-Type", "mail-broken"))
    parts = list(message.walk())
    is_cut_off = any(isinstance(defect, _CUT_OFF) for part in parts for defect in part.defects)
    faults = [fault(file, 0, "", "mail-cut-off")] if is_cut_off else []
    name, address = _sender(message)
    sender_name = _decode_words(name)
    return Mail(
        sender_name="" if "@" in sender_name else sender_name,
        sender_address=address,
        received=_day_of_receipt(message, zone),
        subject=_decode_words(message.get("Subject", "")),
        attachments=tuple(_attachments(parts, file, faults)),
        links=_links(parts),
        faults=tuple(faults),
    )


def _refused_mail(why: Fault) -> Mail:
    return Mail("", "", None, "", (), (), (why,))


def _sender(message: Part) -> tuple[str, str]:
    """The sender's name and address; blank where brackets are so deep that the standard library gives up."""
    try:
        return parseaddr(message.get("From", ""))
    except RecursionError:
        return "", ""


def _day_of_receipt(message: Part, zone: tzinfo) -> date | None:
    """The day in the zone on which the mail came; None if it does not say."""
    stamps = [stamp.rpartition(";")[2] for stamp in message.get_all("Received", [])]
    for stamp in [*stamps, message.get("Date", "")]:
        try:
            moment: datetime = parsedate_to_datetime(stamp.strip())
            known = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
            return known.astimezone(zone).date()
        except (ValueError, TypeError, IndexError, OverflowError):
            continue
    return None


def _attachments(parts: list[Part], file: str, faults: list[Fault]) -> Iterator[tuple[str, bytes]]:
    """The attached files; one that cannot be read, or not in full, is a fault."""
    for number, part in enumerate(parts):
        name = _file_name(part)
        if part.is_multipart() or (_is_body(part) and not name):
            continue
        name = name or f"part-{number}"
        if part.get_content_type() in _TNEF or name.lower() == "winmail.dat":
            faults.append(fault(file, 0, name, "mail-winmail"))
            continue
        content = _content(part)
        if not any(isinstance(defect, _DAMAGE) for defect in part.defects):
            yield name, content
        elif not any(f.code == "mail-cut-off" for f in faults):
            faults.append(fault(file, 0, name, "mail-damaged"))


def _is_body(part: Part) -> bool:
    """Whether it is text to be read in the mail itself."""
    return part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment"


def _content(part: Part) -> bytes:
    content: Any = part.get_payload(decode=True)
    return content if isinstance(content, bytes) else b""


def _file_name(part: Part) -> str:
    """The name of an attached file, without folders and signs that are not seen; blank if it has none."""
    parameter = _parameter(part, "filename", "content-disposition") or _parameter(part, "name")
    if isinstance(parameter, tuple):
        charset, _, raw = parameter
        name = _decode_charset(raw.encode("latin-1", "replace"), charset or "")
    else:
        name = _decode_words(parameter)
    return _INVISIBLE.sub("", re.split(r"[/\\]", name)[-1]).strip()


def _parameter(part: Part, name: str, header: str = "content-type") -> Any:
    """A header's parameter, of RFC 2231 with its charset and language; blank if it is missing or broken."""
    try:
        return part.get_param(name, "", header) or ""
    except _BROKEN:
        return ""


def _links(parts: list[Part]) -> tuple[str, ...]:
    """The pages that the text of the mail names, each once."""
    found: dict[str, None] = {}
    for part in parts:
        if not part.is_multipart() and _is_body(part) and not _file_name(part):
            text = _decode_charset(_content(part), str(_parameter(part, "charset")))
            plain_text = html.unescape(text) if part.get_content_subtype() == "html" else text
            found |= dict.fromkeys(f"tnr{link[1]}" for link in _LINK.finditer(plain_text))
    return tuple(found)


def _decode_words(text: str) -> str:
    """A header's text with its encoded words decoded, single blanks."""
    pieces: list[tuple[Any, str | None]] = [(text, None)]
    if "=?" in text:
        try:
            pieces = decode_header(text)
        except (errors.HeaderParseError, ValueError):
            pieces = [(text, None)]
    words = "".join(
        piece
        if isinstance(piece, str)
        else _decode_charset(piece, charset)
        if charset
        else piece.decode("raw-unicode-escape", "replace")
        for piece, charset in pieces
    )
    return _INVISIBLE.sub("", " ".join(words.split()))


def _decode_charset(data: bytes, charset: str) -> str:
    """Text in the encoding of that name; told from its bytes where it is unknown, or not that one."""
    try:
        if charset.lower() not in _NO_CHARSETS:
            return data.decode(charset or "utf-8")
    except (UnicodeError, LookupError, ValueError):
        pass
    if b"\x1b$" in data:
        return _JIS.sub(_from_jis, data).decode("cp932", "replace")
    return _any_text(data)


def _any_text(data: bytes) -> str:
    """Text whatever its bytes are: links and addresses in it are plain letters in any encoding."""
    known = data.replace(b"\0", b"")
    return decode_text(known) or known.decode("latin-1")


def _from_jis(found: re.Match[bytes]) -> bytes:
    """A run of ISO-2022-JP as CP932, which has Windows' signs at the places of the same rows."""
    kind, signs = found[1], found[2]
    if kind[:1] == b"(":
        return bytes(sign | 0x80 for sign in signs) if kind == b"(I" else signs
    run = bytearray()
    for high, low in zip(signs[::2], signs[1::2], strict=False):
        row = (high - 0x21) >> 1
        lead = row + (0x81 if row <= _LAST_LOW_ROW else 0xC1)
        trail = low + 0x1F + (low > _LAST_NARROW) if high & 1 else low + 0x7E
        run += bytes((lead & 0xFF, trail & 0xFF))
    return bytes(run)
