"""A ledger rated by a book of another federation: what is assumed is said, and the figures are that book's own."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import numpy as np
import pytest
from lab.test_comparison import rows_of

from banzuke.core.fault import RefusedError
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.engine.columnar.chess_reader import read_columns
from banzuke.engine.columnar.crossed_lists import closing_day, lists_opened
from banzuke.engine.history import history, list_names
from banzuke.lab.answers import report_anomalies, report_comparison, report_prediction
from banzuke.lab.comparison import Question
from banzuke.lab.report_page import sentence
from banzuke.ledger.folder import read_ledger
from banzuke.words import LANGUAGES

CHESS = [name for name, book in BOOKS.items() if isinstance(book, ChessBook)]
START, PLAYERS = date(2025, 2, 8), 14


def write_table(path, rows):
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = [",".join(names), *(",".join(str(row.get(name, "")) for name in names) for row in rows)]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def ledger(
    folder,
    name,
    *,
    speeds=("standard",),
    start=START,
    has_births=True,
    only=slice(None),
    struck=(),
    skipped=(),
):
    """A small pool of that book: half of its players open with a rating; an event a fortnight, a speed in turn."""
    book, rng, folder = BOOKS[name], np.random.default_rng(5), folder / name
    folder.mkdir(parents=True)
    (folder / "pool.toml").write_text(
        f'name = "{name}"\n[[edition]]\nrulebook = "{name}"\nfrom = 2000-01-01\n'
    )
    ids = [f"{number:06}" for number in range(1, PLAYERS + 1)]
    born = "1980-05-05" if has_births else ""
    players = [{"player_id": p, "name": f"NAME {p}", "birth_date": born} for p in ids]
    if "joined" in {column.name for column in book.columns.ledger.get("players", ())}:
        players = [row | {"joined": "2001-01-01"} for row in players]
    games, rows = [], []
    for number in range(10):
        day = start + timedelta(days=14 * number)
        row = {
            "event_id": f"E{number:02}",
            "name": f"Event {number}",
            "starts": day,
            "ends": day,
            "reported": day,
        }
        if len(book.speeds) > 1:
            minutes = {"standard": 90, "rapid": 20, "blitz": 5}[speeds[number % len(speeds)]]
            row |= {"base_minutes": minutes, "increment_seconds": 0, "paid": day}
        rows.append(row | ({"struck": struck[row["event_id"]]} if row["event_id"] in struck else {}))
        for round_ in range(1, 6):
            order = rng.permutation(ids).reshape(-1, 2).tolist()
            results = rng.choice(["1-0", "0-1", "1/2-1/2"], len(order))
            games += [
                {"event_id": f"E{number:02}", "round": round_, "white": w, "black": b, "result": result}
                for (w, b), result in zip(order, results, strict=True)
            ]
    if book.is_member:
        spans = {"kind": "annual", "valid_from": "2000-01-01", "valid_to": "2099-12-31"}
        write_table(folder / "memberships.csv", [{"player_id": p} | spans for p in ids])
    opening = [
        {"player_id": p, "rating": 1500 + 40 * n, "games": 60} for n, p in enumerate(ids[: PLAYERS // 2])
    ]
    if len(book.speeds) > 1:
        opening = [row | {"speed": speed} for speed in speeds if speed in book.speeds for row in opening]
    rows = [row for row in rows[only] if row["event_id"] not in skipped]
    games = [game for game in games if game["event_id"] in {row["event_id"] for row in rows}]
    for table, content in (("players", players), ("events", rows), ("games", games), ("standings", opening)):
        write_table(folder / f"{table}.csv", content)
    return folder


def final_of(sheets, speed):
    """The last rating of everybody whom the other rules rate otherwise."""
    return {row["player_id"]: row["rating"] for row in rows_of(sheets, "movers") if row["speed"] == speed}


def last_ratings(folder, speed=""):
    """The last ratings of a ledger as it is, by the readable engine."""
    read = read_ledger(folder)
    *_, last = history(read, list_names(read, None))
    return {
        p: each.value for p, each in last.outcome.standings.ratings[speed].items() if each.value is not None
    }


@pytest.mark.slow
@pytest.mark.parametrize("own", CHESS)
def test_every_pair_of_books(own, tmp_path):
    """Each book's ledger by every other: tables for all of them, every assumption in both languages."""
    speeds = tuple(speed for speed in BOOKS[own].speeds if speed) or ("standard",)
    folder = ledger(tmp_path, own, speeds=speeds)
    others = [name for name in CHESS if name != own]
    for answer in (report_comparison, report_prediction):
        report = answer(folder, Question(others))
        for name in others:
            is_crossed = BOOKS[name].series != BOOKS[own].series
            said = [
                each for each in report.remarks if each.key == "crossed" and dict(each.facts)["book"] == name
            ]
            assert len(said) == is_crossed
        assert all(sentence(each, lang) for each in report.remarks for lang in LANGUAGES)
    compared = report_comparison(folder, Question(others)).sheets
    listed = {(row["variant"], row["speed"]): row["players"] for row in rows_of(compared, "spread")}
    first = "" if len(BOOKS[own].speeds) == 1 else "standard"
    assert {name for name, speed in listed if speed == first} == {"pool", *others}
    assert min(count for (_, speed), count in listed.items() if speed == first) >= PLAYERS // 2
    assert report_anomalies(folder, Question()).sheets


@pytest.mark.parametrize("own", ["icu", "hakodate", "fide-2024"])
@pytest.mark.parametrize("other", ["jcf-2024", "us-chess", "icu", "hakodate"])
def test_the_figures_are_those_of_a_ledger_of_that_book(own, other, tmp_path):
    """The same games kept as a ledger of the other book, with what is assumed written into it."""
    if own == other:
        return
    is_known = other != "icu"  # who has no birth date is grown up there, as everybody in the other ledger is
    folder = ledger(tmp_path / "own", own, has_births=is_known)
    native = ledger(tmp_path / "native", other)
    sheets = report_comparison(folder, Question([other])).sheets
    speed = "" if len(BOOKS[own].speeds) == 1 else "standard"
    found, same = final_of(sheets, speed), last_ratings(folder, speed)
    known = last_ratings(native, "" if len(BOOKS[other].speeds) == 1 else "standard")
    assert len(known) == PLAYERS
    assert {player: found.get(player, same[player]) for player in known} == known


def test_a_book_with_one_list_rates_each_speed_by_itself(tmp_path):
    folder = ledger(tmp_path / "both", "jcf-2024", speeds=("standard", "rapid"))
    sheets = report_comparison(folder, Question(["hakodate"])).sheets
    for speed, first in (("standard", 0), ("rapid", 1)):
        alone = ledger(tmp_path / speed, "hakodate", only=slice(first, None, 2))
        known, same = last_ratings(alone), last_ratings(folder, speed)
        found = final_of(sheets, speed)
        assert {player: found.get(player, same[player]) for player in known} == known


def test_a_day_before_the_first_number_and_a_list_until(tmp_path):
    """US Chess's B begins in 2017: earlier events take the first; its own edition refuses them in a sentence."""
    folder = ledger(tmp_path, "hakodate", start=date(2010, 1, 2))
    report = report_comparison(folder, Question(["us-chess"], until="E03"))
    assert ("crossed-early", (("day", "2017-05-01"),)) in [(each.key, each.facts) for each in report.remarks]
    means = [row for row in rows_of(report.sheets, "list_means") if row["variant"] == "us-chess"]
    assert [row["list"] for row in means] == ["E00", "E01", "E02", "E03"]
    months = report_comparison(folder, Question(["jcf-2024"], until="E03")).sheets
    lists = [row["list"] for row in rows_of(months, "list_means") if row["variant"] == "jcf-2024"]
    assert lists[-1] == "2010-03"  # E03 ended on 13 February
    with pytest.raises(RefusedError) as refused:
        report_comparison(folder, Question(["us-chess-2023"]))
    assert [fault.code for fault in refused.value.faults] == ["us-too-early"]


def test_until_an_event_goes_by_the_days_that_stand(tmp_path):
    """An event was reported with other days at first: that row is struck, wherever it stands."""
    columns = read_columns(ledger(tmp_path, "hakodate"))
    (event,) = (each for each in columns.events if each.event_id == "E03")
    for day in (event.ends - timedelta(days=60), event.ends + timedelta(days=60)):
        wrong = replace(event, starts=day, ends=day, struck=event.ends)
        for events in ([wrong, *columns.events], [*columns.events, wrong]):
            corrected = columns._replace(events=events)
            assert closing_day(corrected, "E03") == event.ends
            assert lists_opened(corrected, event.ends) == ["E00", "E01", "E02", "E03"]


def test_corrections_count_as_they_stand(tmp_path):
    """A struck event and a struck game are out of every list of the other book, whenever they were struck."""
    folder = ledger(tmp_path / "corrected", "jcf-2024", struck={"E01": "2026-01-01"})
    clean = ledger(tmp_path / "clean", "jcf-2024", skipped=("E01",))
    report = report_comparison(folder, Question(["icu"]))
    assert "crossed-corrections" in [each.key for each in report.remarks]
    found, wanted = (
        [row for row in rows_of(sheets, "spread") if row["variant"] == "icu"]
        for sheets in (report.sheets, report_comparison(clean, Question(["icu"])).sheets)
    )
    assert found == wanted
