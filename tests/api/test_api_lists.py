"""Pools, lists, players and events by the API, with the figures of the lists that were published."""

from __future__ import annotations

import pytest

from banzuke.database.models import Contact, ListRow, NameWord
from banzuke.office.lists import list_index


def hide(pool, player):
    Contact.objects.create(entry=pool.entries.latest("pk"), pool=pool, player_id=player, by_id_only=True)


def every(api, address, key, **words):
    """All rows of an answer that comes by pages."""
    found, after = [], ""
    while after is not None:
        page = api(address, **words, after=after).json()
        found += page[key]
        after = page["next"]
    return found


class TestPools:
    def test_all_of_them_with_their_newest_lists(self, api):
        pools = api("/pools").json()["pools"]
        assert [(pool["pool"], pool["name"]) for pool in pools] == [
            ("go-server", "Go server, January 2026"),
            ("hakodate", "Hakodate club (example)"),
            ("japan", "Example Chess Federation"),
        ]
        assert [pool["latest"]["list"] for pool in pools] == ["2026-02", "2025-12-evening", "2025-05"]

    def test_by_pages(self, api):
        assert [pool["pool"] for pool in api("/pools", limit=1, offset=1).json()["pools"]] == ["hakodate"]

    def test_where_to_begin(self, api):
        assert api("/").json() == {
            "title": "Banzuke",
            "description": "/api/v1/openapi.json",
            "pools": "/api/v1/pools",
        }


class TestLists:
    def test_the_newest_first(self, api, office):
        lists = api("/pools/japan/lists").json()["lists"]
        stored = list(list_index.current_lists(office.pools["japan"]))
        assert [each["list"] for each in lists] == [each.name for each in stored]
        assert lists[0]["sha256"] == stored[0].sha256
        assert lists[0]["day"] == "2025-05-01"

    def test_one_with_its_revisions_and_speeds(self, api):
        found = api("/pools/japan/lists/2025-02").json()
        assert (found["list"], found["revision"], found["speeds"]) == ("2025-02", 0, ["standard", "rapid"])
        assert [each["revision"] for each in found["revisions"]] == [0]

    def test_the_current_one(self, api):
        assert api("/pools/japan/lists/current").json()["list"] == "2025-05"

    @pytest.mark.parametrize("name", ["2030-01", "x", "2025-02%00", "a%2Fb", "~", "."])
    def test_a_list_that_is_none(self, api, name):
        answer = api(f"/pools/japan/lists/{name}")
        assert answer.status_code in {404, 422}
        assert answer["Content-Type"] == "application/problem+json"

    def test_a_revision_that_is_none(self, api):
        for name in ("2025-02", "current"):
            assert api(f"/pools/japan/lists/{name}", revision=1).status_code == 404
            assert api(f"/pools/japan/lists/{name}", revision=0).status_code == 200


class TestRows:
    def test_all_rows_are_those_of_the_list(self, api, office):
        stored = ListRow.objects.filter(list=list_index.latest_list(office.pools["japan"]), speed="rapid")
        rows = every(api, "/pools/japan/lists/current/rows", "rows", speed="rapid", limit=7)
        assert len(rows) == stored.count()
        assert [(row["player"], row["rating"], row["place"]) for row in rows] == list(
            stored.order_by("place", "player_id").values_list("player_id", "rating", "place")
        )

    def test_sorted_and_filtered(self, api):
        found = api("/pools/japan/lists/current/rows", sort="-games", group="senior", limit=1).json()
        assert [(row["player"], row["games"]) for row in found["rows"]] == [("J020", 906)]
        assert found["next"] == "J020"

    def test_searched_in_any_script(self, api):
        for typed in ("hayashi ha", "林", "j004"):
            rows = api("/pools/japan/lists/current/rows", q=typed).json()["rows"]
            assert "J004" in [row["player"] for row in rows], typed

    def test_of_a_club_s_only_rating(self, api):
        found = api("/pools/hakodate/lists/current/rows", limit=1).json()
        assert (found["speed"], found["rows"][0]["player"], found["rows"][0]["status"]) == (
            "",
            "H21",
            "established",
        )

    def test_of_go(self, api):
        row = api("/pools/go-server/lists/current/rows", limit=1).json()["rows"][0]
        assert (row["player"], row["written"], row["rating"]) == ("kazehaya", "8d", 19242)

    def test_a_speed_that_the_list_has_not(self, api):
        assert api("/pools/hakodate/lists/current/rows", speed="standard").status_code == 404
        assert api("/pools/japan/lists/current/rows", speed="blitz").status_code == 404
        known = {"if-none-match": api("/pools/japan/lists/current/rows")["ETag"]}
        assert api("/pools/japan/lists/current/rows", headers=known, speed="blitz").status_code == 404

    def test_after_a_player_who_is_not_in_the_list(self, api):
        """The first page again would have a program read for ever."""
        answer = api("/pools/japan/lists/current/rows", after="J999")
        assert (answer.status_code, answer.json()["type"]) == (404, "urn:banzuke:problem:unknown-player")

    @pytest.mark.parametrize(
        "words",
        [{"limit": 0}, {"limit": 101}, {"limit": "x"}, {"speed": "fast"}, {"sort": "birth"}, {"q": "x" * 101},
         {"q": "a\x00b"}, {"after": "\n"}, {"revision": -1}, {"active": "perhaps"}],
    )  # fmt: skip
    def test_questions_out_of_bounds(self, api, words):
        answer = api("/pools/japan/lists/current/rows", **words)
        (name,) = words
        assert answer.status_code == 422
        assert [error["where"] for error in answer.json()["errors"]] == [f"query.{name}"]

    def test_who_is_shown_by_id_only(self, api, office):
        hide(office.pools["japan"], "J004")
        rows = every(api, "/pools/japan/lists/current/rows", "rows")
        (row,) = [row for row in rows if row["player"] == "J004"]
        assert {row[name] for name in ("name", "name_native", "club", "sex", "group")} == {""}
        assert row["rating"] == 1643
        assert api("/pools/japan/lists/current/rows", q="林").json()["rows"] == []
        assert api("/pools/japan/players", q="hayashi haruto").json()["players"] == []


class TestTags:
    ROWS = "/pools/japan/lists/current/rows"

    def test_the_rows_tag_is_the_list_s_hash(self, api, office):
        answer = api(self.ROWS)
        assert answer["ETag"] == f'"{list_index.latest_list(office.pools["japan"]).sha256}"'
        assert {"Authorization", "Accept-Language"} <= set(answer["Vary"].split(", "))

    @pytest.mark.parametrize(
        "address", [ROWS, "/pools", "/pools/japan/players/J004", "/pools/japan/lists/2025-02/lines"]
    )
    def test_what_is_known_is_not_sent_again(self, api, address):
        first = api(address)
        again = api(address, headers={"if-none-match": first["ETag"]})
        assert (again.status_code, again.content, again["ETag"]) == (304, b"", first["ETag"])
        assert api(address, headers={"if-none-match": '"other"'}).status_code == 200

    def test_another_name_in_the_register_changes_what_is_found_and_the_tag(self, api, office):
        before = api(self.ROWS, q="zzyzx")
        NameWord.objects.create(pool=office.pools["japan"], player_id="J004", form=b"zzyzx")
        again = api(self.ROWS, headers={"if-none-match": before["ETag"]}, q="zzyzx")
        assert (again.status_code, len(again.json()["rows"])) == (200, 1)

    @pytest.mark.parametrize("address", [ROWS, "/pools"])
    def test_what_is_for_changes_counts_for_nothing(self, api, address):
        for name, said in (("if-match", '"other"'), ("if-unmodified-since", "Sat, 29 Oct 1994 19:43:31 GMT")):
            answer = api(address, headers={name: said})
            assert (answer.status_code, answer["Content-Type"]) == (200, "application/json; charset=utf-8")

    def test_hiding_somebody_changes_the_tag(self, api, office):
        before = api(self.ROWS)["ETag"]
        hide(office.pools["japan"], "J004")
        assert api(self.ROWS, headers={"if-none-match": before}).status_code == 200
        assert api(self.ROWS)["ETag"] != before


class TestPlayers:
    def test_found_with_their_rows(self, api):
        found = api("/pools/japan/players", q="hayashi haruto").json()
        assert [player["player"] for player in found["players"]] == ["J004"]
        assert {row["speed"] for row in found["players"][0]["rows"]} == {"standard", "rapid"}
        assert found["next"] is None

    def test_by_pages(self, api):
        everybody = every(api, "/pools/japan/players", "players", q="j", limit=3)
        ids = [player["player"] for player in everybody]
        assert ids == sorted(set(ids))
        assert len(ids) > 30

    def test_a_question_is_needed(self, api):
        assert api("/pools/japan/players").status_code == api("/pools/japan/players", q="").status_code == 422

    def test_where_somebody_stands(self, api):
        found = api("/pools/japan/players/J004").json()
        standard = found["ratings"][0]
        assert (found["name"], found["name_native"]) == ("HAYASHI Haruto", "林 陽翔")
        assert (standard["row"]["rating"], standard["row"]["place"], standard["players"]) == (1643, 14, 34)
        assert standard["k"] == {"k": 20, "why": "normal", "clause": "JCF 5(1)K"}
        assert standard["form"] == {
            "lists": 6,
            "games": 30,
            "score": "15.5",
            "expected": "16.67",
            "over": "-1.17",
        }

    def test_nobody(self, api):
        for address in ("/pools/japan/players/X", "/pools/japan/players/X/history", "/pools/x/players/J004"):
            assert api(address).status_code == 404

    def test_the_history(self, api, office):
        rows = api("/pools/japan/players/J004/history").json()["rows"]
        stored = ListRow.objects.filter(list__pool=office.pools["japan"], player_id="J004")
        assert len(rows) == stored.count()
        assert rows[0]["list"] == "2025-05"
        assert api("/pools/japan/players/J004/history", offset=1, limit=1).json()["rows"] == rows[1:2]

    def test_a_working_has_exact_decimals_and_sentences(self, api):
        found = api("/pools/japan/players/J004/workings/2025-02", lang="ja").json()
        line = found["lines"][0]
        assert (line["expected"], line["change"], line["k"], line["score"]) == ("0.08", "-1.6", 20, "0")
        assert "J004" in found["sections"][0]["heading"]
        assert any(sentence["clause"].startswith("JCF") for sentence in found["sections"][0]["sentences"])

    def test_a_working_in_the_visitor_s_language(self, api):
        address = "/pools/japan/players/J004/workings/2025-02"
        japanese = api(address, headers={"accept-language": "ja"}).json()["sections"]
        assert japanese == api(address, lang="ja").json()["sections"]
        assert japanese != api(address).json()["sections"]

    def test_a_working_of_go(self, api):
        found = api("/pools/go-server/players/tetsubin/workings/current").json()
        assert found["lines"][0]["difference"] == "3/2"
        assert found["sections"]

    def test_no_working_of_who_is_not_on_the_list(self, api):
        assert api("/pools/japan/players/X/workings/2025-02").status_code == 404


class TestEvents:
    def test_those_of_a_list(self, api):
        assert api("/pools/japan/lists/2025-02/events").json()["events"] == ["2025-01-newyear"]

    def test_by_pages(self, api):
        ids = every(api, "/pools/go-server/lists/current/events", "events", limit=5)
        assert ids == sorted(set(ids))
        assert ids[0] == "G0001"

    def test_the_crosstable(self, api):
        found = api("/pools/japan/events/2025-01-newyear").json()
        first = found["rows"][0]
        assert (found["list"], found["rounds"]) == ("2025-02", [1, 2, 3, 4, 5, 6])
        assert (first["player"], first["before"], first["after"]) == ("J001", 2397, 2395)
        assert (first["points"], first["expected"], first["change"]) == ("5", "5.15", "-1.5")
        assert first["cells"][0] == "12b1"

    def test_none(self, api):
        assert api("/pools/japan/events/none").status_code == 404
        assert api("/pools/japan/events/2025-01-newyear", rated_in="2030-01").status_code == 404

    def test_lines_by_pages_are_all_of_the_list_s(self, api, office):
        published = list_index.current_lists(office.pools["japan"]).get(name="2025-02")
        found, begin = [], 0
        while begin is not None:
            page = api("/pools/japan/lists/2025-02/lines", begin=begin, limit=50).json()
            found += page["lines"]
            begin = page["next"]
        assert [(line["player"], line["round"]) for line in found] == list(
            published.lines.order_by("position").values_list("player_id", "round")
        )
        assert api("/pools/japan/lists/2025-02/lines", event="none").json()["lines"] == []
