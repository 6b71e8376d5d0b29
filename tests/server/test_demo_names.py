"""The demo's federation, clubs and events have Japanese names, whatever year they are played in."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from banzuke.ledger.folder import read_ledger
from banzuke.ledger.pool_rules import FILE
from banzuke.ledger.toml_files import parse_toml
from banzuke.server import demo_names, demo_office
from banzuke.server.demo_present import NAME, present_demo

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / demo_office.CURRENT


def test_everything_has_a_japanese_name():
    ledger = demo_names.with_japanese_names(present_demo(read_ledger(EXAMPLE), date(2027, 3, 1)).ledger)
    named = {row.name: row.name_native for row in (*ledger.clubs, *ledger.events)}
    assert all(named.values())
    assert named["Golden Week Open"] == "ゴールデンウィークオープン"
    assert (named["Example Open 2024"], named["Example Open 2026"]) == (
        "見本オープン2024",
        "見本オープン2026",
    )
    assert {*demo_names.NAMES} == {
        name.removesuffix(name[-5:]) if name[-4:].isdigit() else name for name in named
    } | {NAME}


def test_the_pool_has_one_too():
    files = demo_names.with_pool_name({FILE: (EXAMPLE / FILE).read_text("utf-8")})
    rules = parse_toml(FILE, files[FILE].encode(), [])
    assert (rules["name"], rules["name_native"]) == ("Example Chess Federation", "見本チェス連盟")


def test_what_has_none_keeps_the_one_it_has():
    assert demo_names.in_japanese("An Open of Somewhere 2026") == ""
