"""The demo's federation, clubs and events have Japanese names, whatever year they are played in."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from banzuke.ledger.folder import ChessLedger, read_ledger
from banzuke.ledger.pool_rules import FILE
from banzuke.ledger.toml_files import parse_toml
from banzuke.server import demo_names, demo_office
from banzuke.server.demo_present import NAME, present_demo

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / demo_office.CURRENT


def test_everything_has_a_japanese_name():
    ledger = demo_names.with_japanese_names(present_demo(read_ledger(EXAMPLE), date(2027, 3, 1)).ledger)
    named = {row.name: row.name_native for row in (*ledger.clubs, *ledger.events)}
    assert named["Golden Week Open"] == "ゴールデンウィークオープン"
    assert (named["Example Open 2024"], named["Example Open 2026"]) == (
        "見本オープン2024",
        "見本オープン2026",
    )


def test_every_pool_club_and_event_of_the_examples_has_a_japanese_name():
    named = {NAME: demo_names.in_japanese(NAME)}
    for folder in sorted(path.parent for path in EXAMPLE.parent.glob(f"*/{FILE}")):
        ledger = demo_names.with_japanese_names(read_ledger(folder))
        rules = parse_toml(
            FILE, demo_names.with_pool_name({FILE: (folder / FILE).read_text()})[FILE].encode(), []
        )
        named[rules["name"]] = rules["name_native"]
        if isinstance(ledger, ChessLedger):
            named |= {row.name: row.name_native for row in (*ledger.clubs, *ledger.events)}
    assert [name for name, native in named.items() if not native] == []
    assert (named["Example Chess Federation"], named["U.S. Championship 2025"]) == (
        "見本チェス連盟",
        "全米選手権2025",
    )
    without_year = {name.removesuffix(name[-5:]) if name[-4:].isdigit() else name for name in named}
    assert [name for name in demo_names.NAMES if name not in without_year | {*named}] == []


def test_what_has_none_keeps_the_one_it_has():
    assert demo_names.in_japanese("An Open of Somewhere 2026") == ""
