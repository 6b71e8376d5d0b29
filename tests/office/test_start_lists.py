"""Start lists of a pool of FIDE's ids: numbers and ratings go out as FIDE's, and the next report brings them back."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from repeated import entered_pool

from banzuke.core import facts
from banzuke.database.book_reader import read_book
from banzuke.exchange.player_identities import PlayerIdentifier
from banzuke.formats.trf import trf_reader
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import Actor
from banzuke.office.register import members, qualification
from banzuke.office.register.members import ContactDetails
from banzuke.office.register.qualification import Entrant, StartListOptions

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
OFFICER = Actor("officer", "127.0.0.1")
OPTIONS = StartListOptions("Open", "standard", "USA")
pytestmark = pytest.mark.django_db


@pytest.fixture
def pool():
    """The example's pool, with somebody whom FIDE does not know yet, and another who has the number beside an id."""
    made = entered_pool("us", EXAMPLES / "us-championship-2025", "test")
    members.add(made, facts.Player("P00001", "New, Player"), ContactDetails(), OFFICER)
    members.add(made, facts.Player("P00002", "Beside, Player", fide_id="39900002"), ContactDetails(), OFFICER)
    return made


def start_list(pool, kind):
    rows = standing_rows(pool, facts.Player).filter(player_id__in=["2020009", "P00001", "P00002"])
    ratings = {"2020009": 2789}
    entrants = [Entrant(row, ratings.get(row.player_id)) for row in rows]
    return qualification.write_start_list(pool, entrants, OPTIONS, kind, OFFICER)


def test_trf(pool):
    report = trf_reader.read(start_list(pool, "trf"), "start.trf")
    found = {player.name: player[2:5] for player in report.players}
    assert found == {
        "Caruana, Fabiano": ("2020009", "", 2789), "New, Player": ("", "P00001", None),
        "Beside, Player": ("39900002", "", None),
    }  # fmt: skip
    matches, undecided = PlayerIdentifier(read_book(pool), (), add_players=False).match(
        "start.trf", report, []
    )
    assert {match.reported.name: match.player_id for match in matches} == {
        "Caruana, Fabiano": "2020009", "New, Player": "P00001", "Beside, Player": "P00002",
    }  # fmt: skip
    assert undecided == []


def test_swiss_manager(pool):
    text = start_list(pool, "swiss-manager").decode("utf-8-sig")
    rows = {row["Name"]: row for row in csv.DictReader(io.StringIO(text), delimiter=";")}
    found = {
        name: (row["ID_No"], row["Rtg_Nat"], row["Fide_No"], row["Rtg_Int"]) for name, row in rows.items()
    }
    assert found == {
        "Caruana, Fabiano": ("", "0", "2020009", "2789"), "New, Player": ("P00001", "0", "", "0"),
        "Beside, Player": ("", "0", "39900002", "0"),
    }  # fmt: skip


def test_tables(pool):
    text = start_list(pool, "csv").decode("utf-8-sig")
    rows = csv.DictReader(io.StringIO(text))
    assert {(row["player_id"], row["fide_id"]) for row in rows} == {
        ("2020009", "2020009"), ("P00001", ""), ("P00002", "39900002"),
    }  # fmt: skip


def test_fides_layout(pool):
    text = start_list(pool, "fide").decode()
    assert {line[:15].strip() for line in text.splitlines()[1:]} == {"2020009", "P00001", "39900002"}
