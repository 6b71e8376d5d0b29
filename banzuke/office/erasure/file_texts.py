"""Whether a file names somebody, whatever its format: its texts, packed ones unpacked. Without a database."""

import email
import html
import io
import re
import zipfile
from collections.abc import Iterator, Sequence

from banzuke.formats.files import mail
from banzuke.formats.files.zip_files import ZIP_SIGNATURE, unpacks_within
from banzuke.office.erasure.redactor import KnownWords, Redactor

ENCODINGS = ("utf-8-sig", "cp932", "euc_jp", "iso2022_jp", "utf-16", "cp1252")
MOST_UNPACKED = 100 << 20
#: So deep are files in files looked into: a workbook in a zip in a mail.
DEPTH = 4
_TAG = re.compile(r"<[^>]*>")


def are_named(files: Sequence[bytes], words: KnownWords) -> list[bool]:
    """Of each file, whether one of the words is in it."""
    redactor = Redactor(words, "")
    return [any(redactor.is_in(text) for text in texts_of(data)) for data in files]


def texts_of(data: bytes, depth: int = DEPTH) -> Iterator[str]:
    """What a file says, in every encoding that it may have; tags left out, what is in it unpacked."""
    for within in _unpacked(data) if depth else ():
        yield from texts_of(within, depth - 1)
    for encoding in ENCODINGS:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        yield html.unescape(_TAG.sub(" ", text)) if "<" in text else text


def _unpacked(data: bytes) -> Iterator[bytes]:
    """The files of a zip or a workbook, and the parts of a mail."""
    if data.startswith(ZIP_SIGNATURE):
        if unpacks_within(data, MOST_UNPACKED):
            with zipfile.ZipFile(io.BytesIO(data)) as packed:
                yield from (packed.read(member) for member in packed.infolist())
    elif mail.looks_like(data):
        for part in email.message_from_bytes(data).walk():
            content = None if part.is_multipart() else part.get_payload(decode=True)
            if isinstance(content, bytes):
                yield content
