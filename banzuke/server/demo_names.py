"""What the demo's pools, clubs and events are called in Japanese; the examples have one name of each."""

import re
from collections.abc import Mapping
from dataclasses import replace

from banzuke.ledger.folder import GoLedger, Ledger
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
    "Hakodate club (example)": "函館チェスクラブ（見本）",
    "Spring Opening (document, example 1)": "春の開幕大会（規程の例1）",
    "May Round Robin (document, example 2)": "5月総当たり戦（規程の例2）",
    "June Round Robin (document, example 3)": "6月総当たり戦（規程の例3）",
    "Match Weekend (established: 24, 16, 8)": "週末マッチ（確定：24、16、8）",
    "Summer Five Rounds (a provisional player passes 20)": "夏の5回戦（仮のプレイヤーが20局を超える）",
    "Club Evening, September": "夜の例会（9月）",
    "Club Evening, October": "夜の例会（10月）",
    "Autumn Weekend": "秋の週末大会",
    "Year-End Club Evening": "年末の夜の例会",
    "U.S. Championship": "全米選手権",
    "Go server, January 2026": "囲碁サーバー（2026年1月）",
}
_YEAR, _NAME = re.compile(r" (\d{4})\Z"), re.compile(r'^name = "(.*)"$', re.MULTILINE)


def in_japanese(name: str) -> str:
    """The Japanese name, with the year where the name ends in one; blank where there is none."""
    if name in NAMES:
        return NAMES[name]
    year = _YEAR.search(name)
    found = NAMES.get(_YEAR.sub("", name), "")
    return f"{found}{year[1]}" if found and year else found


def with_japanese_names(ledger: Ledger) -> Ledger:
    """The ledger with the Japanese names of its clubs and events; one of Go has none."""
    if isinstance(ledger, GoLedger):
        return ledger
    return replace(
        ledger,
        clubs=[club._replace(name_native=in_japanese(club.name)) for club in ledger.clubs],
        events=[replace(event, name_native=in_japanese(event.name)) for event in ledger.events],
    )


def with_pool_name(files: Mapping[str, str]) -> dict[str, str]:
    """The files of a pool's rules, with its Japanese name."""
    text = _NAME.sub(lambda it: f'{it[0]}\nname_native = "{in_japanese(it[1])}"', files[FILE], count=1)
    return {**files, FILE: text}
