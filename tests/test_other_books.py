"""Rule books of other people, installed as wheels beside this package, work through all of it.

A successor edition with other numbers, and a book with a calendar that is not there.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from migrated_office import migrated
from other_books import (
    environment,
    installed,
    japan_from_2025,
    jcf_2026,
    office_environment,
    run,
    sundays,
    weekly_ledger,
)

from banzuke.core.registry import BOOKS

pytestmark = pytest.mark.slow

OTHERS = {"jcf-2026", "sundays-2026"}


@pytest.fixture(scope="module")
def target(tmp_path_factory):
    """The folder in which both books are installed."""
    folder = tmp_path_factory.mktemp("strangers")
    installed(folder / "target", jcf_2026(folder), sundays(folder))
    return folder / "target"


@pytest.fixture
def banzuke(target, tmp_path):
    """The command with these books and an office in a folder of its own."""
    home = migrated(tmp_path / "office")

    def command(*words, status=0):
        done = run(*words, cwd=tmp_path, **environment(target, home))
        assert done.status == status, done.err + done.out
        return done

    return command


def test_they_are_listed(banzuke):
    assert {book["book"] for book in banzuke("rules", "--format", "json").json} == {*BOOKS, *OTHERS}


@pytest.mark.parametrize("name", ["jcf-2026", "sundays-2026"])
def test_they_hold_everything(banzuke, name):
    banzuke("rules", "test", name)


class TestASuccessorEdition:
    @pytest.fixture
    def pool(self, tmp_path):
        return japan_from_2025(tmp_path / "pool")

    def test_both_engines_rate_by_it(self, banzuke, pool, tmp_path):
        banzuke("check", pool)
        banzuke("rate", pool, "--out", "readable")
        banzuke("rate", pool, "--out", "columnar", "--engine", "columnar")
        for name in ("lists.csv", "changes.csv"):
            readable = (tmp_path / "readable" / name).read_bytes()
            assert readable == (tmp_path / "columnar" / name).read_bytes()
            assert readable.count(b"\n2025-") > 10
        rows = [
            line.split(",") for line in (tmp_path / "readable/changes.csv").read_text("utf-8").splitlines()
        ]
        of = {name: number for number, name in enumerate(rows[0])}
        later = {row[of["k"]] for row in rows[1:] if row[0] > "2025-02" and row[of["k"]]}
        earlier = {row[of["k"]] for row in rows[1:] if row[0] < "2025-01" and row[of["k"]]}
        assert "32" in later
        assert "32" not in earlier

    def test_it_is_explained(self, banzuke, pool):
        texts = [banzuke("explain", pool, f"J{number:03}").out for number in range(1, 16)]
        assert any("K is 32: the player is new" in text for text in texts)

    def test_what_changed(self, banzuke):
        found = banzuke("rules", "diff", "jcf-2024", "jcf-2026", "--format", "json").json
        changed = {(each["one"], each["other"]) for each in found["figures"] if each["one"] != each["other"]}
        assert changed == {("40", "32"), ("1000", "1100"), ("20", "15")}

    def test_calculators(self, banzuke):
        first = ("calc", "first", "--opponents", "1100,1100,1100,1100,1100,1100", "--points", "1")
        now = banzuke(*first, "--rulebook", "jcf-2026").out
        before = banzuke(*first, "--rulebook", "jcf-2024").out
        assert "1100" in now.splitlines()[-1]
        assert "1000" in before.splitlines()[-1]

    def test_the_laboratory(self, banzuke, pool):
        banzuke("lab", "compare", pool, "--books", "jcf-2024,jcf-2026", "--out", "lab")

    def test_an_office_publishes_by_it(self, banzuke, pool, tmp_path):
        banzuke("import-ledger", pool, "--pool", "japan")
        banzuke("publish", "japan", "2025-05")
        assert banzuke("verify", "japan", "2025-05", "--format", "json").json["is_good"]


#: Sends a report of the fourth week, lets it in, publishes, and asks the API.
_OFFICE = """
import json
from datetime import date
from banzuke.server.office_opening import open_office
open_office()
from django.contrib.auth import get_user_model
from django.test import Client
from banzuke.database.models import Pool
from banzuke.office.inbox.reports import accept
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.inbox.review import review_report
from banzuke.office.journal import Actor
from banzuke.office.lists.publishing import publish
get_user_model().objects.create_user("keeper")
pool, officer, day = Pool.objects.get(slug="weekly"), Actor("officer", "127.0.0.1"), date(2026, 3, 24)
players = (("SATO Hana", 1, 2, "w1"), ("SUZUKI Ren", 2, 1, "b0"))
table = "012 Fourth evening\\n042 2026/03/23\\n052 2026/03/23\\nXXR 1\\n" + "".join(
    f"001 {number:4}      {name:33}                                 {2 - number:2}.0 {number:4}  {opponent:4} {game[0]} {game[1]}\\n"
    for name, number, opponent, game in players
)
said = {"name": "Fourth evening", "starts": date(2026, 3, 23), "ends": date(2026, 3, 23), "reported": day}
report = receive(pool, [("evening.trf", table.encode())], said, Sender(officer, None, "", "upload"))
review = review_report(report, day)
placed = [event.placement.list for event in review.events]
assert review.is_ready, [problem.fault for problem in review.problems]
accept(report, officer, day)
publish(pool, "2026-03-29", officer, date(2026, 3, 29))
client = Client(headers={"host": "localhost"})
lists = client.get("/api/v1/pools/weekly/lists").json()["lists"]
rows = client.get("/api/v1/pools/weekly/lists/2026-03-29/rows").json()["rows"]
pages = {page: client.get(page).status_code for page in ("/weekly/", "/weekly/lists/2026-03-29/")}
print(json.dumps([placed, [each["list"] for each in lists], len(rows), pages]))
"""


class TestACalendarOfItsOwn:
    @pytest.fixture
    def pool(self, tmp_path):
        return weekly_ledger(tmp_path / "pool")

    def test_it_is_rated(self, banzuke, pool, tmp_path):
        banzuke("check", pool)
        banzuke("rate", pool, "--out", "lists")
        rows = [
            line.split(",") for line in (tmp_path / "lists/lists.csv").read_text("utf-8").splitlines()[1:]
        ]
        assert sorted({row[0] for row in rows}) == ["2026-03-08", "2026-03-15", "2026-03-22"]

    def test_until_a_list(self, banzuke, pool, tmp_path):
        banzuke("rate", pool, "--out", "lists", "--until", "2026-03-15")
        assert "2026-03-22" not in (tmp_path / "lists/lists.csv").read_text("utf-8")
        assert "2026-03-16" in banzuke("rate", pool, "--out", "no", "--until", "2026-03-16", status=2).err

    def test_it_is_explained(self, banzuke, pool):
        told = banzuke("explain", pool, "P1", "--list", "2026-03-08").out
        assert "First evening" in told
        assert "1600 becomes 1615" in told
        assert "[SUNDAYS 4]" in told

    def test_in_the_office_and_out_again(self, banzuke, pool, tmp_path):
        banzuke("import-ledger", pool, "--pool", "weekly")
        banzuke("publish", "weekly", "2026-03-22")
        assert banzuke("verify", "weekly", "2026-03-15", "--format", "json").json["is_good"]
        banzuke("export-ledger", "weekly", "out")
        banzuke("rate", pool, "--out", "one")
        banzuke("rate", "out", "--out", "other")
        for name in ("lists.csv", "changes.csv"):
            assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "other" / name).read_bytes()

    def test_a_report_is_let_in_and_published_and_the_api_lists_it(self, banzuke, pool, target, tmp_path):
        banzuke("import-ledger", pool, "--pool", "weekly")
        banzuke("publish", "weekly", "2026-03-22")
        done = subprocess.run(
            [sys.executable, "-c", _OFFICE],
            env=office_environment() | environment(target, tmp_path / "office"),
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        placed, lists, rows, pages = json.loads(done.stdout.splitlines()[-1])
        assert placed == ["2026-03-29"]
        assert lists[:4] == ["2026-03-29", "2026-03-22", "2026-03-15", "2026-03-08"]
        assert rows == 2
        assert set(pages.values()) == {200}
