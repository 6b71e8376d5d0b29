"""Crosstables that were exported, read back: games, ids, days; what is damaged is refused."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from sample_events import EVENT

from banzuke.exchange.event_export import event_table, rated_event
from banzuke.exchange.export_headings import event_wording
from banzuke.exchange.incoming_files import read_files
from banzuke.formats.events import event_html, event_reader, event_xlsx
from banzuke.formats.events.event_table import EventTable, RoundCell
from banzuke.formats.format_detection import recognise
from banzuke.formats.report import ReportedBye
from banzuke.ledger.folder import read_ledger
from banzuke.words import LANGUAGES, say

if TYPE_CHECKING:
    from banzuke.formats.report import Report

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
WRITERS = {"html": event_html, "xlsx": event_xlsx}


def read_back(table: EventTable, kind: str, lang: str) -> Report:
    """The one report in the file that is written of the table."""
    data = WRITERS[kind].write(table, event_wording(table, lang))
    assert recognise(data) == "event-table"
    ((_, report),) = read_files([(f"event.{kind}", data)]).reports
    return report


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("kind", WRITERS)
class TestReadBack:
    @pytest.mark.parametrize(
        ("name", "id_field", "rating"),
        [("japan", "national_id", "national_rating"), ("us-championship-2025", "fide_id", "rating")],
    )
    def test_an_event_of_a_ledger(self, kind: str, lang: str, name: str, id_field: str, rating: str) -> None:
        ledger = read_ledger(EXAMPLES / name)
        found = rated_event(ledger, ledger.events[0].event_id)
        table, event = event_table(ledger, found), found.entry.event
        report = read_back(table, kind, lang)
        ids = {player.number: getattr(player, id_field) for player in report.players}
        games = [(g.round, ids[g.white], ids[g.black], g.result) for g in report.games]
        entered = [(game.round, game.white, game.black, game.result) for game in found.entry.games]
        assert (sorted(games), report.faults) == (sorted(entered), ())
        assert [(ids[p.number], getattr(p, rating)) for p in report.players] == [
            (row.player_id, row.before) for row in table.rows
        ]
        assert report.event[:2] == (event.name, event.place)
        assert (report.event.starts, report.event.ends) == (event.starts, event.ends)
        assert report.event.speed == table.speed

    def test_days_as_files_had_them_before(self, kind: str, lang: str) -> None:
        wording = event_wording(EVENT, lang)
        old = wording | {
            "facts": f"{EVENT.place} · 2024-02-29–2024-03-01 · {wording['facts'].split(' · ')[2]}"
        }
        data = WRITERS[kind].write(EVENT, old)
        assert recognise(data) == "event-table"
        ((_, report),) = read_files([(f"event.{kind}", data)]).reports
        found = report.event
        assert (found.starts, found.ends, found.place) == (date(2024, 2, 29), date(2024, 3, 1), EVENT.place)

    def test_forfeits_short_games_and_those_not_rated(self, kind: str, lang: str) -> None:
        one, two, three = EVENT.rows
        cells = [
            (RoundCell(2, "w", "1", False, True), RoundCell(3, "b", "-", False)),
            (RoundCell(1, "b", "0", False, True), None),
            (None, RoundCell(1, "w", "+", False)),
        ]
        rows = [row._replace(cells=own) for row, own in zip((one, two, three), cells, strict=True)]
        points = (2, 0, 2)
        rows = [row._replace(points=own) for row, own in zip(rows, points, strict=True)]
        report = read_back(EVENT._replace(rows=tuple(rows)), kind, lang)
        assert [tuple(game)[:4] for game in report.games] == [(1, 1, 2, "u1-0"), (3, 3, 1, "+/-")]
        assert report.faults == ()
        assert [(p.national_id, p.name) for p in report.players][2] == ("J3", "<script>")

    def test_byes(self, kind: str, lang: str) -> None:
        """Of a player who has a game besides, and of one who has nothing else."""
        bye, half = (RoundCell(0, "", points, False) for points in ("1", "½"))
        cells = ((RoundCell(2, "w", "1", True), bye), (RoundCell(1, "b", "0", True), None), (half, bye))
        points = (4, 0, 3)
        of_rows = zip(EVENT.rows, cells, points, strict=True)
        rows = tuple(row._replace(cells=own, points=won) for row, own, won in of_rows)
        report = read_back(EVENT._replace(rows=rows), kind, lang)
        assert report.faults == ()
        assert sorted(report.byes) == [ReportedBye(1, 3, 1), ReportedBye(3, 1, 2), ReportedBye(3, 3, 2)]
        assert [tuple(game)[:4] for game in report.games] == [(1, 1, 2, "1-0")]


def test_the_words_are_those_that_are_written() -> None:
    for at, lang in enumerate(("en", "ja")):
        for kind, headings in event_reader.HEADINGS.items():
            key = kind if kind == "fide_id" else f"event-{kind}"
            assert headings[at] == say("export", key, lang)
        for speed, words in event_reader.SPEED_WORDS.items():
            assert words[at] == say("export", f"speed-{speed}", lang)
        assert event_reader.ROUND.fullmatch(say("export", "event-round", lang, round=12))


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        (">No.<", ">Nummer<", {"event-broken"}),
        (">R3<", ">R1<", {"event-broken"}),
        ("<table", "<div", {"event-broken"}),
        ('<td class="n">2</td>', '<td class="n">1</td>', {"event-bad-number"}),
        ('<td class="n">2</td>', '<td class="n">x</td>', {"event-bad-number"}),
        (">1b0<", ">1b1<", {"crosstable-results-clash", "crosstable-points"}),
        (">1b0<", "><", {"crosstable-one-sided"}),
    ],
)
def test_what_was_changed_is_refused(old: str, new: str, codes: set[str]) -> None:
    data = event_html.write(EVENT, event_wording(EVENT, "en")).decode()
    assert old in data
    report = event_reader.read(data.replace(old, new, 1).encode(), "x")
    assert {fault.code for fault in report.faults} == codes
    assert all(
        say("faults/" + fault.code.split("-")[0], fault.code, "ja", **dict(fault.facts))
        for fault in report.faults
    )


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", b"<p>", b"\0\xff"])
def test_damaged_files_are_refused(data: bytes) -> None:
    assert not event_reader.looks_like(data)
    assert event_reader.read(data, "x").faults
