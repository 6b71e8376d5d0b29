"""banzuke standings: files and ledgers, every way to print, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import shutil

import pytest
from command_runs import EXAMPLES, banzuke

from banzuke.cli.standings import extend_epilog
from banzuke.exchange.event_export import event_table, lacks_games, rated_event
from banzuke.exchange.standings.standings import standings
from banzuke.exchange.standings.tie_breaks import known_codes
from banzuke.exchange.standings.tournament import table_tournament
from banzuke.exchange.standings.wording import notes_of
from banzuke.ledger.folder import read_chess_ledger
from banzuke.words import LANGUAGES, say

MATCH, LEDGER = EXAMPLES / "hinoki-spring.trf", EXAMPLES / "us-championship-2025"
TABLE = (
    "date\tlist\ttime\tsource\twhite id\twhite name\twhite point\tblack id\tblack name\n"
    "2025-01-01\t\tST\tOne\t1\tA\t1\t2\tB\n2025-01-02\t\tST\tTwo\t1\tA\t0\t2\tB\n"
)


def rows(ran):
    return list(csv.DictReader(io.StringIO(ran.out.removeprefix("\ufeff"))))


class TestFiles:
    def test_text(self):
        ran = banzuke("standings", MATCH)
        assert (ran.status, ran.err) == (0, "")
        assert "FUJIWARA Yuto          4½    0     4   8.75   2.5" in ran.out
        assert "SB: Sonneborn-Berger" in ran.out
        assert ran.lines[-1] == "Tie-breaks as in a round robin, by FIDE's rules of 2024."

    def test_japanese(self):
        ran = banzuke("standings", MATCH, "--tie-breaks", "SB", lang="ja")
        assert "順位" in ran.out
        assert "SB：ゾンネボルン・ベルガー" in ran.out

    def test_options(self):
        found = banzuke(
            *("standings", MATCH, "--tie-breaks", "BH:C1,MMED", "--system", "swiss", "--edition", "2026"),
            *("--after", "3", "--unrated", "1500", "--format", "json"),
        ).json
        assert (found["rounds"], found["round_robin"], found["edition"]) == (3, False, 2026)
        assert found["standings"][0]["tie_breaks"].keys() == {"BH-C1", "MMED"}

    def test_a_file_of_several_events_asks_for_one(self, tmp_path):
        path = tmp_path / "games.tsv"
        path.write_text(TABLE, "utf-8")
        ran = banzuke("standings", path)
        assert (ran.status, "2 events" in ran.err, "1 One; 2 Two" in ran.err) == (2, True, True)
        second = rows(banzuke("standings", path, "--event", "2", "--format", "csv"))
        assert [row["name"] for row in second] == ["B", "A"]

    def test_faults_are_refused_unless_the_readable_part_will_do(self, tmp_path):
        path = tmp_path / "faulty.trf"
        path.write_text(MATCH.read_text("utf-8").replace(" 4.5 ", " 9.5 "), "utf-8")
        assert banzuke("standings", path).status == 2
        ran = banzuke("standings", path, "--readable-part", "--format", "csv")
        assert (ran.status, rows(ran)[0]["points"]) == (0, "4.5")


class TestLedgers:
    def test_an_event(self):
        ran = banzuke("standings", LEDGER, "--event", "USCH2025", "--format", "csv", "--tie-breaks", "SB,ARO")
        first = rows(ran)[0]
        assert (first["rank"], first["points"], first["SB"], bool(first["ARO"])) == ("1", "8", "40.5", True)

    def test_byes_are_said_to_be_unknown(self):
        assert "no byes" in banzuke("standings", LEDGER, "--event", "USCH2025").out

    def test_byes_of_a_ledger_count_as_those_of_its_file(self, tmp_path):
        """Those of players who have nothing else, too; ratings do not change by them."""
        club, file, event = tmp_path / "club", tmp_path / "event.trf", "2025-05-five"
        shutil.copytree(EXAMPLES / "hakodate", club)
        banzuke("rate", club, "--out", tmp_path / "before")
        games = [line.split(",") for line in (club / "games.csv").read_text("utf-8").splitlines()]
        played = {(number, player) for each, number, *pair, _ in games if each == event for player in pair}
        last = max(number for number, _ in played)
        one = next(player for number, player in sorted(played) if (last, player) not in played)
        byes = (
            f"event_id,round,player_id,points\n{event},{last},{one},1\n{event},1,H23,0.5\n{event},2,H23,1\n"
        )
        (club / "byes.csv").write_text(byes, "utf-8")
        assert banzuke("export", club, "--event", event, "--format", "trf16", "--out", file).status == 0
        codes = ("--tie-breaks", "BH,SB,WIN", "--format", "csv")
        ours, theirs = (
            rows(banzuke("standings", club, "--event", event, *codes)),
            rows(banzuke("standings", file, *codes)),
        )
        figures = [(row["name"], row["points"], row["BH"], row["SB"], row["WIN"]) for row in ours]
        assert sorted(figures) == sorted((r["name"], r["points"], r["BH"], r["SB"], r["WIN"]) for r in theirs)
        assert {row["player_id"]: row["points"] for row in ours}["H23"] == "1.5"
        facts = json.loads(banzuke("standings", club, "--event", event, "--format", "json").out)
        assert facts["knows_byes"] is True
        banzuke("rate", club, "--out", tmp_path / "after")
        for name in ("lists.csv", "changes.csv"):
            assert (tmp_path / "after" / name).read_bytes() == (tmp_path / "before" / name).read_bytes()

    @pytest.mark.parametrize("event", [(), ("--event", "none")])
    def test_no_such_event(self, event):
        ran = banzuke("standings", LEDGER, *event)
        assert (ran.status, ran.out) == (2, "")

    def test_an_event_must_be_named(self):
        assert "Say which event of the ledger with --event" in banzuke("standings", LEDGER).err

    def test_games_that_the_list_did_not_take_are_told(self):
        """A struck game is none; each that stands elsewhere is."""
        ledger = read_chess_ledger(EXAMPLES / "japan")
        found = rated_event(ledger, "2025-01-newyear", "2025-02")
        assert not lacks_games(ledger, found)
        less = found._replace(entry=found.entry._replace(games=found.entry.games[1:]))
        assert lacks_games(ledger, less)
        event = table_tournament(event_table(ledger, less), lacks_games=True)
        assert notes_of(standings(event), "en")[2].startswith("Only the games that this list took")


class TestHelp:
    def test_a_wrong_code_names_the_right_ones(self):
        ran = banzuke("standings", MATCH, "--tie-breaks", "BHX")
        assert ran.status == 2
        assert all(code in ran.err for code in (*known_codes(), "Near: BH"))
        refused = banzuke("standings", MATCH, "--tie-breaks", "BHX", "--format", "json").json["refused"]
        assert [fault["code"] for fault in refused] == ["standings-bad-code"]

    @pytest.mark.parametrize("lang", LANGUAGES)
    def test_help_has_every_code_with_what_it_counts(self, lang, monkeypatch):
        monkeypatch.setenv("BANZUKE_LANG", lang)
        epilog = extend_epilog("E")
        assert epilog.startswith("E\n")
        for code in known_codes():
            assert f"\n{code:5} {say('tie_breaks', code, lang)}: " in epilog
            assert say("tie_breaks", f"{code}-about", lang) in epilog
        assert "\nBH " in banzuke("standings", "--help").out.replace("\n  ", "\n")
