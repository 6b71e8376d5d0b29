"""banzuke who: which members names mean."""

from __future__ import annotations

import pytest
from command_runs import EXAMPLES, banzuke, no_traceback

JAPAN = EXAMPLES / "japan"


class TestText:
    def test_sure_asked_and_nobody(self):
        ran = banzuke("who", "FUJIWARA Yuto", "Yuto Huziwara", "Zyx Wvut", "--in", JAPAN)
        assert ran.status == 1
        assert ran.lines == [
            "FUJIWARA Yuto: sure",
            "  J001 FUJIWARA Yuto: has exactly this name",
            "Yuto Huziwara: not sure; most likely first",
            "  J001 FUJIWARA Yuto: 'Yuto Huziwara' is 'FUJIWARA Yuto' but for spelling, order or accents",
            "Zyx Wvut: nobody",
        ]

    def test_in_japanese(self):
        ran = banzuke("who", "林 陽翔", "すずき だいき", "--in", JAPAN, "--lang", "ja")
        assert ran.status == 0
        assert ran.lines == [
            "林 陽翔：確実",
            "  J004 林 陽翔: 氏名が完全に一致",
            "すずき だいき：確実ではありません（可能性の高い順）",
            "  J002 SUZUKI Daiki: 「すずき だいき」は表記・語順・記号の違いを除いて「SUZUKI Daiki」と同じ",
        ]

    def test_what_a_terminal_would_obey_is_shown_as_an_escape(self):
        ran = banzuke("who", "FUJIWARA\x1b[2J Yuto", "--in", JAPAN)
        assert "\x1b" not in ran.out
        assert r"FUJIWARA\x1b[2J Yuto" in ran.out

    def test_a_name_that_looks_like_facts_of_a_sentence(self):
        ran = banzuke("who", "FUJIWARA {ratio} Yuto", "--in", JAPAN)
        assert "'FUJIWARA {ratio} Yuto' and 'FUJIWARA Yuto'" in ran.out

    @pytest.mark.parametrize("part", ["Hayashi", "har", "陽翔"])
    def test_a_part_of_a_name(self, part):
        """Nobody is meant for sure, nor likely, but a reader sees who bears it."""
        ran = banzuke("who", part, "--in", JAPAN)
        assert (ran.status, ran.err) == (1, "")
        assert ran.lines[0] == f"{part}: nobody has this name; it is a part of these names"
        assert "  J004 HAYASHI Haruto 林 陽翔" in ran.lines


class TestJson:
    def test_a_part_of_a_name(self):
        (found,) = banzuke("who", "Hayashi", "--in", JAPAN, "--format", "json").json
        assert (found["sure"], found["candidates"]) == (None, [])
        assert found["part_of"] == [{"player_id": "J004", "names": ["HAYASHI Haruto", "林 陽翔"]}]

    def test_codes_facts_and_sentences(self):
        ran = banzuke("who", "FUJIWARA Yuto", "Fujiwara Yuuto", "Zyx", "--in", JAPAN, "--format", "json")
        sure, asked, nobody = ran.json
        assert (sure["sure"], sure["how"]) == ("J001", "name")
        assert (asked["sure"], asked["how"]) == (None, "")
        assert asked["candidates"][0] == {
            "player_id": "J001",
            "known_as": "FUJIWARA Yuto",
            "ratio": 100,
            "reasons": [
                {
                    "code": "name-normal",
                    "facts": {"reported": "Fujiwara Yuuto", "known": "FUJIWARA Yuto", "ratio": "100"},
                }
            ],
            "why": "'Fujiwara Yuuto' is 'FUJIWARA Yuto' but for spelling, order or accents",
        }
        assert nobody == {"name": "Zyx", "sure": None, "how": "", "candidates": [], "part_of": []}
        assert ran.status == 1


@pytest.mark.parametrize("kind", ["japan", "hakodate", "fide", "go"])
def test_every_kind_of_ledger(ledger_folder, kind):
    assert banzuke("who", "Zyx Wvut", "--in", ledger_folder(kind)).lines == ["Zyx Wvut: nobody"]


def test_a_ledger_that_is_none(tmp_path):
    ran = banzuke("who", "Abe", "--in", tmp_path)
    assert ran.status == 2
    assert "pool.toml" in no_traceback(ran)
