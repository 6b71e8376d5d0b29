"""The layout of Banzuke's own report form, a workbook: its sheets, fields, columns and choices.

Whatever a person reads in the form stands in both languages, `大会名 / Event`; a program finds it by either
half. The texts, and the clauses that ask for each field, are in form_layout.toml.
"""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import NamedTuple, TypeVar

from banzuke.core.facts import SCORES
from banzuke.formats.files.text import plain
from banzuke.formats.report import MOST_FIDE_ID

T = TypeVar("T")

TITLE = "レーティング報告フォーム / Rating report form"
READY = "送信できます / Ready to send"
GOOD = "OK"

#: What the form is made for at the most, and the largest number that it takes.
MOST_PLAYERS, MOST_GAMES, MOST_NUMBER = 9_999, 99_999, 999_999
MOST_MINUTES, MOST_SECONDS, MOST_NONMEMBERS = 10_000, 10_000, 99_999


class Label(NamedTuple):
    """What stands in both languages."""

    ja: str
    en: str

    @property
    def text(self) -> str:
        """Both languages, as the form shows them; once what is the same in both, as a result is."""
        return self.ja if self.ja == self.en else f"{self.ja} / {self.en}"


def key_of(cell: str) -> str:
    """A cell without what people change in passing: width, case, blanks."""
    return plain(cell).casefold().replace(" ", "")


def meanings(labels: Mapping[T, Label]) -> dict[str, T]:
    """What each label means, by the keys of both languages together and of either."""
    return {key_of(text): value for value, label in labels.items() for text in (label.text, *label)}


class Field(NamedTuple):
    """A field of the event (a row) or a column of a table.

    `name` is the record's; `kind` is `text`, `id`, `day`, `number` or the name of a choice; `most` is the
    largest of a number. `clause` names the rules that speak of it; `example` is shown in grey.
    """

    name: str
    label: Label
    kind: str = "text"
    example: str = ""
    clause: str = ""
    most: int = MOST_NUMBER


CHECK = Label("確認", "Check")
EVENT, PLAYERS, GAMES = "event", "players", "games"
TABS = {EVENT: "大会 event", PLAYERS: "選手 players", GAMES: "対局 games", "members": "会員 members"}
RESULT = "result"
_MOST = {
    "base_minutes": MOST_MINUTES,
    "increment_seconds": MOST_SECONDS,
    "nonmembers": MOST_NONMEMBERS,
    "fide_id": MOST_FIDE_ID,
}
_LAYOUT = tomllib.loads(files(__package__).joinpath("form_layout.toml").read_text("utf-8"))


def _fields(sheet: str) -> tuple[Field, ...]:
    """The fields of a sheet in their order."""
    return tuple(
        Field(
            **(given | {"name": name, "label": Label(*given["label"]), "most": _MOST.get(name, MOST_NUMBER)})
        )
        for name, given in _LAYOUT[sheet].items()
    )


def _labels(texts: dict[str, list[str]]) -> dict[str, Label]:
    return {key: Label(*text) for key, text in texts.items()}


EVENT_FIELDS, PLAYER_COLUMNS, GAME_COLUMNS = map(_fields, (EVENT, PLAYERS, GAMES))
FIELDS = {EVENT: EVENT_FIELDS, PLAYERS: PLAYER_COLUMNS, GAMES: GAME_COLUMNS}
#: What a drop-down offers, by the value that a report has for it.
CHOICES = {choice: _labels(texts) for choice, texts in _LAYOUT["choices"].items()}
CHOICES[RESULT] = {result: Label(result, result) for result in SCORES}
#: What a check says of a cell, or of the form.
CHECKS = _labels(_LAYOUT["checks"])
#: The fields of the event without which the form is not ready to send.
REQUIRED = frozenset(
    ("name", "starts", "ends", "place", "organiser", "responsible", "base_minutes", "speed", "nonmembers")
)
#: The names beside the numbers: looked up, never read.
WHITE_NAME, BLACK_NAME = Label("白 氏名", "White"), Label("黒 氏名", "Black")

#: By sheet, the fields by what may stand as their heading; by choice, its values by what may be said.
HEADINGS = {sheet: meanings({field: field.label for field in fields}) for sheet, fields in FIELDS.items()}
SAID = {choice: meanings(labels) for choice, labels in CHOICES.items()}
