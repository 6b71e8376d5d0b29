"""Text as files have it: its encoding, cells as one would type them, cells that a spreadsheet would run.

A text is in UTF-8 with or without a mark, UTF-16, ISO-2022-JP (Japanese mail), CP932 (Japanese Excel) or
Windows' Latin. Which it is, is decided by what the bytes can be, in that order; a text in UTF-8 with a few
bytes that are none is not read, as otherwise all its names would be others. CP932 and Latin cannot be told
apart by being readable, so a text is Japanese if most of what is not ASCII in it is kana, the commoner kanji
(JIS level 1) or full-width signs, or half-width katakana that stand together; if it is just the half of it,
where Latin would have signs that no name has, and no half-width katakana are counted. A sign whose second
byte is a letter that goes on in small ones is Latin (`Šimek`, `O’Neil`), and so are capitals in a word of
capitals (`O’NEIL`, `CONCEIÇÃO`, `NÚÑEZ`).

Where it would be Latin only for want of anything else, it is not read, for its names would be others: long
words without any plain letter (Cyrillic, Greek), nothing but pairs of bytes beyond ASCII (EUC-JP, and Chinese
and Korean, which look the same), a sign within a word that no name has (`Pawe³` is Polish), or a letter as it
is in UTF-8 (`MÃ¼ller`). Letters that are others, and look like letters (`Wiœniewski` for `Wiśniewski`),
cannot be told.

A cell that begins as a formula does (`=`, `+`, `-`, `@`, also in full width for Japanese Excel; a tab, a line
end), or with the apostrophe that says so, gets an apostrophe before it; reading takes it off again, so that
nothing is lost. Numbers stay numbers.
"""

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import NamedTuple

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
#: A letter in UTF-8 that is not in ASCII; other bytes that are not. Where there are so many of those letters,
#: or more, for each place with such bytes, a text in UTF-8 was damaged.
_UTF8 = re.compile(b"[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
_BEYOND_ASCII, _MOSTLY = re.compile(rb"[\x80-\xff]+"), 3
#: What follows one another in CP932: a Latin beginning, a Japanese sign, a run of half-width katakana, any
#: other pair or byte.
_CP932 = re.compile(
    b"[\x81-\x98][A-Za-z](?=[a-z])|(?<=[A-Z])\x92[A-Z](?=[A-Z])"
    b"|(?<=[A-Z])[\xc0-\xd6\xd8-\xdf]{2}(?=[A-Z])|(?<![A-Za-z])[\xc0-\xd6\xd8-\xdf]{1,2}(?=[A-Z]{2})"
    b"|([\x81-\x98][\x40-\x7e\x80-\xfc]|(?<![A-Z]{2})[\xa1-\xdf]{2,})"
    b"|[\x99-\x9f\xe0-\xfc].|[\x80-\xff]",
    re.DOTALL,
)
_FIRST_KATAKANA = 0xA1
#: What Python makes of bytes that are nothing in CP932.
_NOT_CP932 = re.compile("[\x80\uf8f0-\uf8f3]")
#: Runs beyond ASCII that are words of pairs of bytes, as EUC has them. Half-width katakana are such pairs,
#: too, but for what no name of them has: brackets, a full stop, a comma, a byte of two-byte signs.
_EUC_WORD = re.compile(rb"(?<![A-Za-z\x80-\xff])(?:[\xa1-\xfe]{2})+(?![A-Za-z\x80-\xff])")
_NO_KATAKANA, _EUC_NAME = re.compile(rb"[\xa1-\xa4\xe0-\xfe]"), 4
#: What changes the letters in ISO-2022-JP, and in Chinese and Korean ones of its kind.
_ISO_2022 = re.compile(rb"\x1b[$(]")
_END_OF_FILE = "\x1a"

#: A word of four letters or more, none of them plain: in Latin there is none.
_FOREIGN = re.compile(r"(?<![A-Za-zÀ-ÿ])[À-ÿ]{4,}+(?![A-Za-z])")
#: Letters of UTF-8 that were read as Windows' Latin.
_TWICE = "[ÃÂ][\x80-\xbf€‚ƒ„…†‡ˆ‰‹‘’“”•–—˜™›]"
_ENCODED_TWICE = re.compile(_TWICE)
#: In Windows' Latin: what stands for no letter; what no name has (but for halves, and the marks ´ and ·).
_UNREADABLE = "\0\x80-\x9f\ufffd"
_NO_NAME = re.compile(f"[{_UNREADABLE}\xa1-\xa9\xab\xac\xae-\xb3\xb6\xb8\xb9\xbb\xbc\xbe\xbf‚ƒ„†‡ˆ‰‹›•˜™€]")
#: Such signs as parts of words: those that are letters elsewhere (in Polish and other Windows encodings, in
#: DOS), and any other between two letters. Dashes, dots, blanks, halves and signs of multiplication may be
#: there, and guillemets.
_LETTER = "A-Za-zÀ-ÖØ-öø-ÿŠšŽžŒœŸ"
_NO_LETTER = re.compile(
    f"[{_UNREADABLE}]|(?<=[{_LETTER}])[£¥¯³¹¼¾¿‚]|[£¥¯³¹¼¾](?=[{_LETTER}])"
    f"|(?<=[{_LETTER}])[¡¢¤¦§¨©¬®°±²¶¸ƒ„“”†‡ˆ‰•˜™€](?=[{_LETTER}])|{_TWICE}"
)
#: So many of a long row of numbers or names are shown, and so many letters of a name.
_SHOWN, _LETTERS_SHOWN = 20, 40
_DASHES = str.maketrans("‐‑‒–—−ー－", "--------")


class DecodedText(NamedTuple):
    """The text of a file, or None, and whether nothing in it says its encoding."""

    text: str | None
    is_guessed: bool


def decode_text(data: bytes) -> str | None:
    """The text of a file, line ends made one, without the sign that ends a file of DOS.

    None if it is no text (a zero byte, half a UTF-16 letter), or in another encoding.
    """
    return decode_or_guess(data).text


def decode_or_guess(data: bytes) -> DecodedText:
    """The text of a file as `decode_text` gives it, and whether its encoding was guessed."""
    text, is_guessed = _decode(data)
    return DecodedText(None if text is None or "\0" in text else _plain_lines(text), is_guessed)


def _plain_lines(text: str) -> str:
    """A text with one kind of line ends, without the sign that ends a file of DOS."""
    return text.replace("\r\n", "\n").replace("\r", "\n").rstrip(_END_OF_FILE)


def is_in_unknown_encoding(data: bytes) -> bool:
    """Whether the bytes may be a text, but in no encoding that is read."""
    return b"\0" not in data and decode_text(data) is None


def decode_beginning(data: bytes, most: int) -> str:
    """The text of the whole lines in a file's first bytes, `most` of them; blank where it is no text."""
    head = data[: most & ~1]
    if len(data) > len(head) and not data.startswith(_UTF16):
        head = head[: max(head.rfind(b"\n"), head.rfind(b"\r")) + 1] or head
    return decode_text(head) or ""


def _decode(data: bytes) -> DecodedText:
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return DecodedText(_decode_strictly(data[len(mark) :], encoding), is_guessed=False)
    if _ISO_2022.search(data):
        return DecodedText(_decode_strictly(data, "iso2022_jp"), is_guessed=False)
    text = _decode_strictly(data, "utf-8")
    if text is None and not _is_damaged_utf8(data):
        return DecodedText(_guess(data), is_guessed=True)
    return DecodedText(text, is_guessed=False)


def _decode_strictly(data: bytes, encoding: str) -> str | None:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError:
        return None


def _guess(data: bytes) -> str | None:
    """The text in an encoding that nothing in it names; None where it would be read wrong."""
    if _is_euc(data):
        return None
    latin = _as_latin(data)
    text = _decode_strictly(data, "cp932") if _is_cp932(data, latin) else None
    if text and _NOT_CP932.search(text):
        text = None
    return latin if text is None and not (find_no_letter(latin) or find_foreign(latin)) else text


def read_as_latin(data: bytes) -> str:
    """Any bytes as Windows' Latin, those that are nothing in it as U+FFFD; line ends as of `decode_text`."""
    return _plain_lines(_as_latin(data))


def _as_latin(data: bytes) -> str:
    return data.decode("cp1252", errors="replace")


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether nearly all that is not ASCII are letters in UTF-8: read otherwise, all would be others."""
    rest, letters = _UTF8.subn(b" ", data)
    return letters >= _MOSTLY * len(_BEYOND_ASCII.findall(rest))


def find_foreign(text: str) -> re.Match[str] | None:
    """The first of at least two words which show that a text read as Latin is in another encoding."""
    found = list(islice(_FOREIGN.finditer(text), 2))
    return found[0] if len(found) > 1 else None


def find_no_letter(text: str) -> re.Match[str] | None:
    """The first sign which shows that a text read as Latin is in another encoding."""
    return _NO_LETTER.search(text)


def find_no_name(text: str, start: int, end: int) -> re.Match[str] | None:
    """The first sign in a part of a text read by a guess that no name has."""
    return _NO_NAME.search(text, start, end)


def find_encoded_twice(text: str) -> re.Match[str] | None:
    """The first letter of UTF-8 that was read as Windows' Latin and written anew."""
    return _ENCODED_TWICE.search(text)


def _is_euc(data: bytes) -> bool:
    """Whether all beyond ASCII are words of pairs, of names and not of half-width katakana."""
    words = _EUC_WORD.findall(data)
    return (
        len(words) == len(_BEYOND_ASCII.findall(data))
        and any(len(word) >= _EUC_NAME for word in words)
        and any(map(_NO_KATAKANA.search, words))
    )


def _is_cp932(data: bytes, latin: str) -> bool:
    found = _CP932.findall(data)
    japanese = [sign for sign in found if sign]
    if 2 * len(japanese) != len(found) or not found:
        return 2 * len(japanese) > len(found)
    return bool(_NO_NAME.search(latin)) and all(sign[0] < _FIRST_KATAKANA for sign in japanese)


def plain(cell: str) -> str:
    """A cell as one would type it: full-width letters, digits and blanks as narrow ones, single blanks.

    For headings, numbers, days and results; names keep their own width.
    """
    return " ".join(unicodedata.normalize("NFKC", cell).split())


def plain_heading(cell: str) -> str:
    """A table's heading in plain small letters, with blanks for underlines."""
    return plain(cell).casefold().replace("_", " ")


def plain_dashes(cell: str) -> str:
    """A plain cell with every kind of dash as `-`."""
    return plain(cell).translate(_DASHES)


def whole_number(cell: str, most: int = 10**15) -> int | None:
    """The whole number from 0 to `most` in a cell (`１２`, `1500.0`); None if it is none."""
    digits = plain(cell).removesuffix(".0")
    if digits.isdecimal() and digits.isascii() and len(digits) <= len(str(most)):
        return int(digits) if int(digits) <= most else None
    return None


def first_numbers(numbers: Sequence[int]) -> str:
    """Numbers as a text, `1, 2, 3`; of many only the first."""
    return some_names(map(str, numbers))


def some_names(names: Iterable[str]) -> str:
    """Names as a text, each once, long ones cut; of many only the first."""
    once = list(dict.fromkeys(_cut(plain(name)) for name in names))
    return ", ".join(once[:_SHOWN]) + (" ..." if len(once) > _SHOWN else "")


def _cut(name: str) -> str:
    return name if len(name) <= _LETTERS_SHOWN else f"{name[:_LETTERS_SHOWN]}..."


_FORMULA = re.compile(r"'*[=+\-@＝＋－＠\t\r\n]")
_NUMBER = re.compile(r"[+-]?\d+([.,]\d+)?", re.ASCII)


def escape_formula(cell: str) -> str:
    """The cell as it may stand in a file for spreadsheets."""
    return f"'{cell}" if _FORMULA.match(cell) and not _NUMBER.fullmatch(cell) else cell


def unescape_formula(cell: str) -> str:
    """The cell before `escape_formula`; one that needs no apostrophe keeps its own."""
    return cell[1:] if cell.startswith("'") and _FORMULA.match(cell) else cell


def csv_text(rows: Iterable[Iterable[object]], *, end: str = "\n", delimiter: str = ",") -> str:
    """Rows as CSV, quotes only where needed; None is blank."""
    stream = io.StringIO(newline="")
    csv.writer(stream, delimiter=delimiter, lineterminator=end).writerows(rows)
    return stream.getvalue()


def spreadsheet_csv(rows: Iterable[Iterable[object]], *, delimiter: str = ",") -> bytes:
    """Rows as CSV for spreadsheets: UTF-8 with the mark that Excel looks for, CRLF, formulas escaped."""
    escaped = ([escape_formula(cell) if isinstance(cell, str) else cell for cell in row] for row in rows)
    return csv_text(escaped, end="\r\n", delimiter=delimiter).encode("utf-8-sig")
