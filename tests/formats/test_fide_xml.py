"""FIDE's lists as XML: of all speeds and of one, every fault by its address, traps, round trips."""

from __future__ import annotations

import io
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_fide_text import PLAYERS

from banzuke.core.fault import Fault, RefusedError
from banzuke.formats.fide.fide_player import FidePlayer
from banzuke.formats.fide.fide_xml import looks_like_xml, read_xml, write_xml
from banzuke.words import LANGUAGES, fault_line

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<playerslist>\n'
CARLSEN = {
    "fideid": "1503014", "name": "Carlsen, Magnus", "country": "NOR", "sex": "M", "title": "GM", "w_title": "",
    "o_title": "", "foa_title": "", "rating": "2837", "games": "0", "k": "10", "rapid_rating": "2819",
    "rapid_games": "9", "rapid_k": "10", "blitz_rating": "0", "blitz_games": "", "blitz_k": "", "birthday": "1990",
    "flag": "i",
}  # fmt: skip
OTHER_SPEEDS = [tag for tag in CARLSEN if tag.startswith(("rapid", "blitz"))]
SINGLE = {tag: text for tag, text in CARLSEN.items() if tag not in OTHER_SPEEDS}


def element(said: dict[str, str] = CARLSEN, **other: str) -> str:
    """A player on 21 lines (15 in a list of one speed)."""
    return (
        "<player>\n"
        + "".join(f"<{tag}>{text}</{tag}>\n" for tag, text in (said | other).items())
        + "</player>\n"
    )


def xml(*elements: str) -> str:
    return HEAD + "".join(elements) + "</playerslist>\n"


def read(text: str | bytes, file="list.xml", speed=None) -> tuple[list[FidePlayer], list[Fault]]:
    faults: list[Fault] = []
    data = text.encode() if isinstance(text, str) else text
    return list(read_xml(io.BytesIO(data), file, faults, speed)), faults


def addresses(faults):
    assert all(fault_line(fault, lang) for fault in faults for lang in LANGUAGES)
    return [(fault.line, fault.column, fault.code) for fault in faults]


class TestPlayers:
    def test_of_a_list_of_all_speeds(self):
        assert read(xml(element())) == (
            [
                FidePlayer(
                    *("1503014", "Carlsen, Magnus", "NOR", "M", "GM", "", "", ""),
                    *(2837, 0, 10, 2819, 9, 10, None, None, None, 1990, "i"),
                )
            ],
            [],
        )

    @pytest.mark.parametrize("speed", ["standard", "rapid", "blitz"])
    def test_of_a_list_of_one_speed_which_its_name_says(self, speed):
        [player], faults = read(xml(element(SINGLE)), f"{speed}_rating_list.xml")
        told = {speed: 2837, f"{speed}_games": 0, f"{speed}_k": 10}
        assert faults == []
        assert player == FidePlayer(
            "1503014", "Carlsen, Magnus", "NOR", "M", "GM", birth_year=1990, flag="i"
        )._replace(**told)

    def test_or_the_caller(self):
        [player], faults = read(xml(element(SINGLE)), "standard_rating_list.xml", "blitz")
        assert (faults, player.standard, player.blitz) == ([], None, 2837)

    def test_else_it_is_a_fault(self):
        players, faults = read(xml(element(SINGLE), element(SINGLE)))
        assert players == []
        assert addresses(faults) == [(12, "rating", "fide-which-speed")]

    def test_missing_elements_are_blank_and_unknown_ones_passed_over(self):
        text = xml(
            "<player><fideid>7</fideid><name>Ann</name><rapid_rating>1500</rapid_rating><x>9</x></player>"
        )
        assert read(text) == ([FidePlayer("7", "Ann", rapid=1500)], [])

    def test_comments_references_and_blanks(self):
        text = xml(element(name=" M&#252;ller &amp; <!-- x -->Co&#x20;"))
        assert [player.name for player in read(text)[0]] == ["Müller & Co"]

    def test_in_another_encoding(self):
        text = xml(element(name="Müller")).replace("UTF-8", "ISO-8859-1")
        assert [player.name for player in read(text.encode("latin-1"))[0]] == ["Müller"]

    def test_more_than_the_blocks_it_is_read_by(self):
        players, faults = read(xml(*(element(fideid=str(number)) for number in range(1, 2001))))
        assert faults == []
        assert [player.fide_id for player in players] == [str(number) for number in range(1, 2001)]

    def test_those_who_passed_are_dropped_from_memory(self, monkeypatch):
        counts = []
        from banzuke.formats.fide import fide_xml

        elements = fide_xml._elements

        def watched(*arguments):
            for found in elements(*arguments):
                counts.append(len(found.getparent()))
                yield found

        monkeypatch.setattr(fide_xml, "_elements", watched)
        players, _ = read(xml(*(element(fideid=str(number)) for number in range(1, 3001))))
        assert len(players) == 3000
        assert max(counts) < 300


class TestFaults:
    @pytest.mark.parametrize(
        ("tag", "text", "code"),
        [
            ("fideid", "", "fide-bad-id"),
            ("fideid", "12 34", "fide-bad-id"),
            ("country", "Norway", "fide-bad-federation"),
            ("sex", "MF", "fide-bad-sex"),
            ("title", "G" * 31, "fide-bad-text"),
            ("rating", "28x", "fide-bad-number"),
            ("rapid_games", "-1", "fide-bad-number"),
            ("blitz_k", "٤٠", "fide-bad-number"),
            ("birthday", "90", "fide-bad-year"),
            ("name", "M" * 201, "fide-bad-name"),
        ],
    )
    def test_each_with_its_line_and_element(self, tag, text, code):
        players, faults = read(xml(element(fideid="1"), element(**{tag: text}), element(fideid="2")))
        assert [player.fide_id for player in players] == ["1", "2"]
        assert addresses(faults) == [(25 + list(CARLSEN).index(tag), tag, code)]
        assert dict(faults[0].facts) == {"text": text[:40], "heading": tag}

    def test_a_player_without_a_name_and_a_federation(self):
        assert addresses(read(xml(element(name="", country="")))[1]) == [(5, "name", "fide-bad-name")]
        assert read(xml(element(name="")))[1] == []

    def test_an_element_twice(self):
        twice = element().replace("</player>", "<rating>2000</rating></player>")
        assert addresses(read(xml(twice))[1]) == [(12, "rating", "fide-xml-twice")]

    def test_a_player_of_all_speeds_in_a_list_of_one(self):
        players, faults = read(xml(element(SINGLE), element()), speed="standard")
        assert len(players) == 1
        assert addresses(faults) == [(34, "blitz_games", "fide-xml-mixed")]

    def test_lines_beyond_65535_are_counted_on(self):
        filler = [element(fideid=str(number)) for number in range(1, 4001)]
        assert addresses(read(xml(*filler, element(sex="??")))[1]) == [
            (3 + 21 * 4000 + 4, "sex", "fide-bad-sex")
        ]

    def test_after_a_hundred_it_stops(self):
        _, faults = read(xml(*[element(sex="??")] * 150))
        assert len(faults) == 100

    def test_a_list_that_is_cut_off_gives_the_players_before(self):
        players, faults = read(xml(element(), element())[: -len("e>\n</player>\n</playerslist>")])
        assert len(players) == 1
        assert [fault.code for fault in faults] == ["fide-xml-broken"]
        assert faults[0].line == 43

    def test_what_is_no_xml(self):
        players, faults = read(xml(element(), element().replace("</title>", "</titel>")))
        assert len(players) == 1
        assert [(fault.line, fault.code) for fault in faults] == [(29, "fide-xml-broken")]
        assert read("")[1][0].code == "fide-xml-broken"

    def test_a_list_without_players(self):
        assert addresses(read(xml())[1]) == [(0, "", "fide-no-players")]

    @pytest.mark.parametrize(
        "text", ["<player><fideid>1</fideid></player>", f"<a>{xml(element())[len(HEAD) - 14 :]}</a>"]
    )
    def test_players_elsewhere_than_under_the_root(self, text):
        players, faults = read(text)
        assert players == []
        assert [(fault.column, fault.code) for fault in faults] == [("player", "fide-xml-no-list")]


class TestTraps:
    @pytest.mark.parametrize(
        "prologue",
        [
            '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;">]>',
            '<!DOCTYPE a SYSTEM "file:///etc/passwd">',
            '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
        ],
    )
    @pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
    def test_a_document_type_is_refused(self, prologue, encoding):
        text = (
            xml(element(name="&a;"))
            .replace("<playerslist>", prologue + "<playerslist>")
            .replace("UTF-8", encoding)
        )
        assert addresses(read(text.encode(encoding))[1]) == [(0, "", "fide-xml-document-type")]

    def test_also_behind_more_blanks_than_one_reads_at_once(self):
        text = xml(element()).replace(
            "<playerslist>", " " * 70_000 + "<!DOCTYPE a [<!ENTITY a 'b'>]><playerslist>"
        )
        assert addresses(read(text)[1]) == [(0, "", "fide-xml-document-type")]

    @pytest.mark.parametrize("filler", ["<x/>", "x" * 100 + "\n", "<x>", "<!-- x -->"])
    def test_endless_other_things_are_not_read_to_the_end(self, filler):
        class Endless(io.RawIOBase):
            asked = 0

            def read(self, size=-1):
                self.asked += 1
                return HEAD.encode() if self.asked == 1 else filler.encode() * (size // len(filler))

        stream, faults = Endless(), []
        assert list(read_xml(stream, "f", faults)) == []
        assert [fault.code for fault in faults] in (["fide-xml-no-list"], ["fide-xml-broken"])
        assert stream.asked < 30

    @given(st.binary(max_size=500))
    def test_random_bytes_raise_nothing(self, data):
        for given_ in (data, HEAD.encode() + data, xml(element()).encode() + data):
            assert len(read(given_)[1]) <= 100

    def test_mutated_lists_raise_nothing(self):
        rng = random.Random(3)
        sound = xml(*(element(fideid=str(number)) for number in range(4))).encode()
        for _ in range(2000):
            data = bytearray(sound)
            for _ in range(rng.randint(1, 4)):
                at = rng.randrange(len(data))
                data[at : at + rng.randint(0, 20)] = rng.choice(
                    [b"<", b"&", b"\x00", b"</player>", b"<player>", b"9", b""]
                )
            players, faults = read(bytes(data))
            assert faults or len(players) <= 4 + data.count(b"<player>") - 4


class TestLooksLike:
    def test_a_list(self):
        assert looks_like_xml(xml(element()).encode())
        assert looks_like_xml(b"<list>\n" + element().encode())

    @pytest.mark.parametrize(
        "data", [b"", b"<chessresults><player no='1'/>", b"<html>playerslist", b"ID Number Name"]
    )
    def test_nothing_else(self, data):
        assert not looks_like_xml(data)


class TestWriting:
    def test_a_player_is_as_fide_writes_it(self):
        said = CARLSEN | {"name": "A &amp; &lt;B&gt;", "blitz_rating": ""}
        player = FidePlayer(
            *("1503014", "A & <B>", "NOR", "M", "GM", "", "", ""),
            *(2837, 0, 10, 2819, 9, 10, None, None, None, 1990, "i"),
        )
        assert b"".join(write_xml([player], "out.xml")).decode() == xml(element(said))

    @given(st.lists(PLAYERS, min_size=1, max_size=4))
    def test_what_is_written_reads_back(self, players):
        assert read(b"".join(write_xml(players, "out.xml"))) == (players, [])

    def test_a_text_that_xml_cannot_hold_is_refused(self):
        with pytest.raises(RefusedError) as refused:
            list(write_xml([FidePlayer("1", "A\x00nn")], "out.xml"))
        [fault] = refused.value.faults
        assert (fault.file, fault.line, fault.column, fault.code) == ("out.xml", 1, "name", "fide-bad-name")

    def test_every_element_stands_once_in_the_order_of_the_fields(self):
        [_, written, _] = write_xml([FidePlayer("1", "Ann")], "out.xml")
        assert re.findall(r"<(\w+)>", written.decode())[1:] == list(CARLSEN)
