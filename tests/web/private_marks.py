"""What is private in a made office, and where in an answer it may stand: written in any way, packed in any file."""

from __future__ import annotations

import base64
import binascii
import gzip
import html
import io
import re
import unicodedata
import zipfile
import zlib
from contextlib import suppress
from datetime import date
from urllib.parse import unquote

import pytest
from pypdf import PdfReader

#: Members with the years of their birth, which are nobody's rating and no year of play; F is shown by id only.
BORN = {"A": 1921, "B": 1922, "C": 1923, "D": 1924, "E": 1925, "F": 1926}
JUNIOR, HIDDEN = "G", "F"
PLAYERS = (*BORN, JUNIOR)
#: In a correction a birth date became this one.
CORRECTED = date(1921, 7, 20)
#: The first and the last days of memberships, and the days of joining: they are no days of anything else.
MEMBER_DAYS = {
    player: (date(2019, 8, 8 + number), date(2033, 9, 8 + number)) for number, player in enumerate(PLAYERS)
}
JOINED = {player: date(2003, 10, 11 + number) for number, player in enumerate(PLAYERS)}
#: What tells of everybody, by the member.
MARKS = {
    player: {
        "address": f"Himitsu-machi 7-7-{player}",
        "mail": f"kakushi.{player.lower()}@private.invalid",
        "kana": f"{'アイウエオカキ'['ABCDEFG'.index(player)]}ヒミツ タロウ",
    }
    for player in PLAYERS
}
#: What a member who is shown by id only is called, in each script; a word of it is nobody else's.
NAMES = ("FFUNO", "Kakure", "隠名", "秘太郎")
#: What is known of the office's people, of what came in, and of who asked.
OFFICE_MARKS = ("private.invalid", "Sekiguchi", "kakushi", "192.0.2.7", "Himitsu", "ヒミツ")
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October")
ERAS = ((1926, "昭和", "S", 1925), (1912, "大正", "T", 1911))
NEWER_ERAS = ((2019, "令和", "R", 2018), (1989, "平成", "H", 1988), *ERAS)


def name(player):
    return f"{player * 2}UNO {'Kakure' if player == HIDDEN else 'Taro'}"


def native_name(player):
    return "隠名 秘太郎" if player == HIDDEN else f"山田 {player}郎"


def birth(player):
    return date(2011, 4, 13) if player == JUNIOR else date(BORN[player], 7, 19)


def ways(day):
    """A day as it may be written."""
    y, m, d = day.year, day.month, day.day
    for sign in "-/.":
        yield from (f"{y}{sign}{m:02}{sign}{d:02}", f"{y}{sign}{m}{sign}{d}")
        yield from (f"{d:02}{sign}{m:02}{sign}{y}", f"{d}{sign}{m}{sign}{y}", f"{m}{sign}{d}{sign}{y}")
        yield f"{m:02}{sign}{d:02}{sign}{y}"
    yield from (f"{y}{m:02}{d:02}", f"{d:02}{m:02}{y}", f"{y}年{m}月{d}日", f"{y}年{m:02}月{d:02}日")
    month = MONTHS[m - 1]
    for each in (month, month[:3], f"{month[:3]}."):
        yield from (f"{each} {d}, {y}", f"{d} {each} {y}", f"{y} {each} {d}")
    yield from _ways_of_era(day)


def _ways_of_era(day):
    """A day as Japanese years have it."""
    _, era, letter, zero = next(found for found in NEWER_ERAS if day.year >= found[0])
    y, m, d = day.year - zero, day.month, day.day
    yield from (f"{era}{'元' if y == 1 else y}年{m}月{d}日", f"{era}{y}年{m:02}月{d:02}日")
    for sign in "./-":
        yield from (f"{letter}{y}{sign}{m}{sign}{d}", f"{letter}{y:02}{sign}{m:02}{sign}{d:02}")


def private_days():
    days = {birth(player) for player in PLAYERS} | {CORRECTED} | set(JOINED.values())
    return days | {day for both in MEMBER_DAYS.values() for day in both}


def spellings(secret):
    """Secret bytes as a text may have them."""
    if isinstance(secret, str):
        return {secret}
    plain = bytes(secret)
    return {
        plain.hex(),
        base64.b64encode(plain).decode().rstrip("="),
        base64.urlsafe_b64encode(plain).decode().rstrip("="),
    }


class PrivateWords:
    """Everything that must not be seen; `secrets` are those that the office made itself."""

    def __init__(self, secrets=()):
        words = [mark for marks in MARKS.values() for mark in marks.values()] + [*OFFICE_MARKS, *NAMES]
        self._words = sorted({normal(word) for word in words})
        self._days = {}
        for way in (way for day in private_days() for way in ways(day)):
            stem = re.search(r"19\d\d|20\d\d", way)
            self._days.setdefault(stem[0] if stem else normal(way), set()).add(normal(way))
        self._secrets = {each for secret in secrets for each in spellings(secret)}
        years = [str(year) for year in BORN.values()]
        ages = sorted({str(2024 - year + more) for year in BORN.values() for more in (0, 1)})
        #: Patterns, each with words of which one is in whatever it finds: to look for words is much faster.
        self._patterns = [
            (years, re.compile(rf"(?<![\w.-])(?:{'|'.join(years)})(?![\w-])")),
            (
                ("歳", "才", "years"),
                re.compile(rf"(?<!\d)(?:{'|'.join(ages)})\s*(?:歳|才|years)", re.IGNORECASE),
            ),
        ]
        serials = [str((birth(player) - date(1899, 12, 30)).days) for player in PLAYERS]
        self._serials = re.compile(rf"(?<!\w)(?:{'|'.join(serials)})(?!\w)")

    def found(self, text):
        """What is in a text that must not be seen."""
        lowered = normal(text)
        found = [word for word in self._words if word in lowered]
        for stem, days in self._days.items():
            if stem in lowered:
                found += [day for day in days if day in lowered]
        found += [f"secret {secret[:6]}" for secret in self._secrets if secret in text]
        for words, pattern in self._patterns:
            if any(word in lowered for word in words):
                found += pattern.findall(text)
        return found

    def found_in(self, address, answer):
        """What is in an answer, its address and its headers."""
        found = {mark for text in texts(address, answer) for mark in self.found(text)}
        if "spreadsheet" in answer.get("Content-Type", ""):
            found |= {mark for text in texts("", answer) for mark in self._serials.findall(text)}
        return sorted(found)


def normal(text):
    """A text without what people write in two ways: width, letters taken apart, capitals."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).lower()


def texts(address, answer):
    """What is in an answer, packed files unpacked."""
    data = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if answer.streaming:
        answer.streaming_content = [data]
    yield unquote(address)
    headers = "\n".join(f"{key}: {value}" for key, value in answer.items() if key != "Content-Length")
    yield from (headers, unquote(headers))
    yield from texts_of(data)


def texts_of(data, depth=3):
    """What bytes say, whatever they are: texts as they stand and without their escapes, what is packed in them."""
    if data[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            for part in archive.infolist():
                yield f"{part.filename} {part.comment!r}"
                yield from texts_of(archive.read(part), depth - 1)
    elif data[:2] == b"\x1f\x8b":
        with suppress(gzip.BadGzipFile, EOFError, zlib.error):  # two bytes alone make no packed file
            yield from texts_of(gzip.decompress(data), depth - 1)
    elif data[:4] == b"%PDF":
        yield pdf_text(data)
    elif data[:4] == b"PAR1":
        parquet = pytest.importorskip("pyarrow.parquet")
        table = parquet.read_table(io.BytesIO(data))
        yield f"{table.to_pylist()} {table.schema.metadata}"
    else:
        text = data.decode("utf-8", "replace")
        yield text
        yield from _without_escapes(text)
        yield from _decoded(text, depth)


def _without_escapes(text):
    """The text without entities, escapes of JSON and of addresses, and folded lines, where it has some."""
    plain = re.sub(r"\r?\n[ \t]", "", text) if "BEGIN:VCALENDAR" in text else text
    if "\\u" in plain:
        plain = re.sub(r"\\u([0-9a-fA-F]{4})", lambda found: chr(int(found[1], 16)), plain)
    if "&" in plain:
        plain = html.unescape(plain)
    if "%" in plain:
        plain = unquote(plain)
    if plain != text:
        yield plain


def _decoded(text, depth):
    """What stands in base64."""
    for found in re.finditer(r"[A-Za-z0-9+/_-]{16,}={0,2}", text) if depth else ():
        try:
            data = base64.b64decode(found[0].replace("-", "+").replace("_", "/") + "==", validate=False)
        except binascii.Error:
            continue
        if data[:4] in (b"PK\x03\x04", b"%PDF") or data[:2] == b"\x1f\x8b" or _is_text(data):
            yield from texts_of(data, depth - 1)


def _is_text(data):
    try:
        return data.decode("utf-8").isprintable() or b"\n" in data
    except UnicodeDecodeError:
        return False


def pdf_text(data):
    """A PDF's text, and what stands in its streams and its title.

    In the streams a number by itself is a length, a place or a letter's number in a font, not a year.
    """
    streams = [data.decode("latin-1")]
    for stream in re.findall(rb"stream\r?\n(.*?)endstream", data, re.DOTALL):
        try:
            streams.append(zlib.decompress(stream).decode("latin-1"))
        except zlib.error:
            streams.append("")
    reader = PdfReader(io.BytesIO(data))
    streams = [re.sub(r"(?<![-\w])\d{4}(?![-\w])", "", stream) for stream in streams]
    return "\n".join([*streams, *(page.extract_text() for page in reader.pages), str(reader.metadata)])
