"""What the demo's federation, clubs and events are called in Japanese; the example has one name of each."""

import re
from collections.abc import Mapping
from dataclasses import replace

from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import FILE

NAMES = {
    "Example Chess Federation": "見本チェス連盟",
    "Hinoki Chess Club": "ひのきチェスクラブ",
    "Kawabe Chess Club": "川辺チェスクラブ",
    "Seiran University Chess Circle": "青嵐大学チェスサークル",
    "Golden Week Open": "ゴールデンウィークオープン",
    "Kawabe Club Meeting, April": "川辺クラブ例会（4月）",
    "Kawabe Club Meeting, May": "川辺クラブ例会（5月）",
    "Kawabe Club Meeting, August": "川辺クラブ例会（8月）",
    "Kawabe Club Meeting, October": "川辺クラブ例会（10月）",
    "Kawabe Club Meeting, December": "川辺クラブ例会（12月）",
    "Hinoki Early Summer Weekend": "ひのき初夏の週末大会",
    "Hinoki Autumn Weekend": "ひのき秋の週末大会",
    "Hinoki Spring Weekend": "ひのき春の週末大会",
    "Hinoki Autumn Rapid": "ひのき秋のラピッド",
    "Hinoki Rapid": "ひのきラピッド",
    "Hinoki Match": "ひのき対抗戦",
    "Kawabe Rapid": "川辺ラピッド",
    "Summer Evening Blitz": "夏の夕べブリッツ",
    "Example Open": "見本オープン",
    "New Year Open": "新春オープン",
    "Seiran Autumn Tournament": "青嵐秋季大会",
    "Seiran Rapid": "青嵐ラピッド",
}
_YEAR, _NAME = re.compile(r" (\d{4})\Z"), re.compile(r'^name = "(.*)"$', re.MULTILINE)


def in_japanese(name: str) -> str:
    """The Japanese name, with the year where the name ends in one; blank where there is none."""
    year = _YEAR.search(name)
    found = NAMES.get(_YEAR.sub("", name), "")
    return f"{found}{year[1]}" if found and year else found


def with_japanese_names(ledger: ChessLedger) -> ChessLedger:
    """The ledger with the Japanese names of its clubs and events."""
    return replace(
        ledger,
        clubs=[club._replace(name_native=in_japanese(club.name)) for club in ledger.clubs],
        events=[replace(event, name_native=in_japanese(event.name)) for event in ledger.events],
    )


def with_pool_name(files: Mapping[str, str]) -> dict[str, str]:
    """The files of a pool's rules, with its Japanese name."""
    text = _NAME.sub(lambda it: f'{it[0]}\nname_native = "{in_japanese(it[1])}"', files[FILE], count=1)
    return {**files, FILE: text}
