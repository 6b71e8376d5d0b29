"""The layout of Banzuke's own report form, a workbook: its sheets, fields, columns and choices.

The form asks for exactly what NCS 4(1) and 4(5) and JCF 4(3) require of a report. Whatever a person
reads in it stands in both languages, `大会名 / Event`; a program finds it by either half.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from banzuke.core.facts import BLITZ, MEETING, RAPID, SCORES, STANDARD, TOURNAMENT
from banzuke.formats.files.text_encoding import plain
from banzuke.formats.report import MOST_FIDE_ID

if TYPE_CHECKING:
    from collections.abc import Mapping

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
    return {key_of(said): value for value, label in labels.items() for said in (label.text, *label)}


CHECK = Label("確認", "Check")
EVENT, PLAYERS, GAMES = "event", "players", "games"
TABS = {
    EVENT: "大会 event",
    PLAYERS: "選手 players",
    GAMES: "対局 games",
    "members": "会員 members",
}


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


FORM, SPEED, YES_NO, SEX, RESULT = "form", "speed", "yes-no", "sex", "result"
#: What a drop-down offers, by the value that a report has for it.
CHOICES: dict[str, dict[str, Label]] = {
    FORM: {TOURNAMENT: Label("大会", "tournament"), MEETING: Label("例会", "meeting")},
    SPEED: {
        STANDARD: Label("スタンダード", "standard"),
        RAPID: Label("ラピッド", "rapid"),
        BLITZ: Label("ブリッツ", "blitz"),
    },
    YES_NO: {"1": Label("はい", "yes"), "0": Label("いいえ", "no")},
    SEX: {"m": Label("男", "m"), "w": Label("女", "w")},
    RESULT: {result: Label(result, result) for result in SCORES},
}

EVENT_FIELDS = (
    Field("name", Label("大会名", "Event"), example="ひのき春季大会", clause="NCS 4(1)a, JCF 4(3)a"),
    Field("form", Label("形式", "Type"), FORM, example="大会 / tournament", clause="JCF 3(2)"),
    Field("starts", Label("初日", "First day"), "day", example="2025-04-26", clause="NCS 4(1)a, JCF 4(3)a"),
    Field("ends", Label("最終日", "Last day"), "day", example="2025-04-27", clause="NCS 4(1)a, JCF 4(3)a"),
    Field("place", Label("場所", "Place"), example="函館市民会館", clause="NCS 4(1)a"),
    Field("organiser", Label("主催者", "Organiser"), example="ひのきチェスクラブ", clause="JCF 4(3)a"),
    Field("responsible", Label("責任者", "Person responsible"), example="佐藤 恵子", clause="NCS 4(1)a"),
    Field("reporter", Label("報告者", "Reporter"), example="伊藤 健", clause="NCS 3(2), JCF 4(2)"),
    Field(
        "base_minutes",
        Label("持ち時間（分）", "Base time (minutes)"),
        "number",
        "90",
        "JCF 4(3)a",
        MOST_MINUTES,
    ),
    Field(
        "increment_seconds",
        Label("1手ごとの加算（秒）", "Increment (seconds a move)"),
        "number",
        "30",
        "JCF 4(3)a",
        MOST_SECONDS,
    ),
    Field("time_control", Label("持ち時間の補足", "Time control in words"), example="40手まで90分、以後30分"),
    Field("speed", Label("種目", "Rating"), SPEED, "スタンダード / standard", "NCS 4(1)a, JCF 4(3)a"),
    Field("fide_rated", Label("FIDE公式戦", "Rated by FIDE"), YES_NO, "いいえ / no", "NCS 4(6)"),
    Field(
        "nonmembers",
        Label("非会員の人数", "Number of non-members"),
        "number",
        "0",
        "JCF 4(3)d",
        MOST_NONMEMBERS,
    ),
)
#: The fields of the event without which the form is not ready to send.
REQUIRED = frozenset(
    ("name", "starts", "ends", "place", "organiser", "responsible", "base_minutes", "speed", "nonmembers")
)
PLAYER_COLUMNS = (
    Field("number", Label("番号", "No."), "number", "1", "NCS 4(1)c, JCF 4(3)c"),
    Field("national_id", Label("会員番号", "Member ID"), "id", "N01234567", "NCS 4(1)b, JCF 4(3)b"),
    Field("name", Label("氏名（ローマ字 姓 名）", "Name (FAMILY Given)"), "text", "SATO Keiko", "NCS 4(3)"),
    Field("name_native", Label("氏名（漢字）", "Name in kanji"), "text", "佐藤 恵子", "NCS 4(5)"),
    Field("birth_date", Label("生年月日", "Birth date"), "day", "1966-07-07", "NCS 4(5)"),
    Field("sex", Label("性別", "Sex"), SEX, "女 / w", "NCS 4(5)"),
    Field("fide_id", Label("FIDE番号", "FIDE ID"), "number", "7000001", "NCS 4(5)", MOST_FIDE_ID),
)
GAME_COLUMNS = (
    Field("round", Label("ラウンド", "Round"), "number", "1"),
    Field("played", Label("対局日", "Day"), "day", "2025-04-26", "NCS 3(6)"),
    Field("white", Label("白 番号", "White no."), "number", "1", "NCS 4(1)c, JCF 4(3)c"),
    Field("result", Label("結果", "Result"), RESULT, "1-0", "NCS 4(1)c, JCF 4(3)c"),
    Field("black", Label("黒 番号", "Black no."), "number", "2", "NCS 4(1)c, JCF 4(3)c"),
)
#: The names beside the numbers, which NCS 4(1)c asks for: looked up, never read.
WHITE_NAME, BLACK_NAME = Label("白 氏名", "White"), Label("黒 氏名", "Black")
FIELDS = {EVENT: EVENT_FIELDS, PLAYERS: PLAYER_COLUMNS, GAMES: GAME_COLUMNS}

#: By sheet, the fields by what may stand as their heading; by choice, its values by what may be said.
HEADINGS = {sheet: meanings({field: field.label for field in fields}) for sheet, fields in FIELDS.items()}
SAID = {choice: meanings(labels) for choice, labels in CHOICES.items()}
