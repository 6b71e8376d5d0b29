"""Who is who: what is sure and taken, what is asked about, in which order and why."""

from __future__ import annotations

import importlib.util
import re
import sys
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.exchange import player_matching
from banzuke.exchange.member_index import Member, members
from banzuke.exchange.player_identities import NEW, Decision, PlayerIdentifier, UndecidedPlayer, proposals
from banzuke.exchange.player_matching import BY_FIDE_ID, BY_NAME, BY_NATIONAL_ID, Matcher, only_likely
from banzuke.formats.report import Report, ReportedEvent, ReportedPlayer
from banzuke.ledger.folder import read_ledger
from banzuke.words import catalogue, say

BORN, LATER = date(1990, 5, 1), date(1990, 5, 2)
REGISTER = [
    Member("N01", ("Tanaka Hiroshi", "田中 弘"), "111", BORN, "m"),
    Member("N02", ("Sato Yuta", "佐藤 裕太"), "222"),
    Member("N03", ("Sato Yuto", "佐藤 悠人")),
    Member("N04", ("Ohno Ken", "大野 健")),
    Member("N05", ("Ono Ken", "小野 健")),
    Member("N06", ("Nakagawa Seiji", "中川 晟志")),
    Member("N07", ("Nakagawa Seiji", "中川 誠二")),
    Member("N08", ("Carlsen Magnus", ""), "888"),
    Member("N09", ("Shimizu Aya", ""), "999"),
    Member("N10", ("Shimizu Maya", ""), "999"),
]


@pytest.fixture(scope="module")
def matcher():
    return Matcher(REGISTER)


def reported(name="", national_id="", fide_id="", native="", born=None, sex=""):
    return ReportedPlayer(1, name, fide_id, national_id, birth_date=born, sex=sex, name_native=native)


def codes(candidate):
    return [reason.code for reason in candidate.reasons]


def ids(found):
    return [candidate.player_id for candidate in found.candidates]


class TestNearIds:
    """An id in other letters, or in a name's place, is asked about with the member whose it may be."""

    @pytest.mark.parametrize(
        "player",
        [reported(national_id="n05"), reported("n05"), reported("N05"), reported(national_id="Ｎ-05")],
    )
    def test_alone(self, matcher, player):
        found = matcher.find(player)
        assert (found.sure, ids(found)) == (None, ["N05"])
        assert codes(found.candidates[0]) == ["near-id"]

    def test_beside_a_name(self, matcher):
        assert matcher.find(reported("Ono Ken", "n05")).sure == "N05"
        found = matcher.find(reported("Sato Yutaka", "n05"))
        assert found.sure is None
        assert codes(next(c for c in found.candidates if c.player_id == "N05"))[:2] == [
            "near-id",
            "name-other",
        ]
        assert only_likely(c for c in found.candidates if c.player_id == "N05") == ""
        assert only_likely(matcher.find(reported("n05")).candidates) == "N05"


class TestProposals:
    """A member alone of a name spelled otherwise is filled in, never more than once."""

    @staticmethod
    def proposed(names, reported, **facts):
        known = [Member(f"J{n}", (name,)) for n, name in enumerate(names, 1)]
        finder = Matcher(known)
        people = [ReportedPlayer(n, name, **facts) for n, name in enumerate(reported, 1)]
        asked = [UndecidedPlayer("x", one, finder.find(one).candidates) for one in people]
        return {number: player_id for (_, number), player_id in proposals(asked).items()}

    def test_a_name_without_its_comma(self):
        names = ["Sato, Keiko", "Mori, Kazuya", "Ito, Ken"]
        assert self.proposed(names, ["Sato Keiko", "MORI Kazuya"]) == {1: "J1", 2: "J2"}

    @pytest.mark.parametrize(
        ("names", "reported"),
        [
            (["Sato, Keiko", "SATO, Keiko"], ["Sato Keiko"]),
            (["Sato, Keiko"], ["Sato K"]),
            (["Sato, Keiko"], ["Sato Keika"]),
            (["Sato, Keiko"], ["Sato Keiko", "Keiko Sato"]),
            (["Ono, Ken"], ["Nobody Here"]),
        ],
    )
    def test_nothing_where_it_is_less_clear(self, names, reported):
        assert self.proposed(names, reported) == {}

    def test_nothing_against_a_contradiction(self):
        known = [Member("J1", ("Sato, Keiko",), "7000001"), Member("J2", ("Ito, Ken",), "7000002")]
        one = ReportedPlayer(1, "Sato Keiko", "7000009")
        assert proposals([UndecidedPlayer("x", one, Matcher(known).find(one).candidates)]) == {}
        plain = one._replace(fide_id="")
        asked = [UndecidedPlayer("x", plain, Matcher(known).find(plain).candidates)]
        assert (proposals(asked), proposals(asked, ["J1"])) == ({("x", 1): "J1"}, {})


class TestSure:
    @pytest.mark.parametrize(
        ("player", "member", "how"),
        [
            (reported("Tanaka Hiroshi"), "N01", BY_NAME),
            (reported(" Tanaka Hiroshi "), "N01", BY_NAME),
            (reported("田中 弘"), "N01", BY_NAME),
            (reported("", native="田中 弘"), "N01", BY_NAME),
            (reported("Tanaka Hiroshi", native="田中 弘"), "N01", BY_NAME),
            (reported("Sato Yuta", born=LATER), "N02", BY_NAME),  # no birth date to compare
            (reported("Sato Yuto", fide_id="555"), "N03", BY_NAME),  # nobody's, and the member's is not known
            (reported("Tanaka Hiroshi", "X-1234"), "N01", BY_NAME),  # an id of another register
            (reported("Tanaka Hiroshi", "n-01"), "N01", BY_NAME),  # the member's, but for how it is written
            (reported("", "N01"), "N01", BY_NATIONAL_ID),
            (reported("Tanaka Hiroshi", "N01", "111", born=BORN, sex="w"), "N01", BY_NATIONAL_ID),
            (reported("tanaka, hirosi", "N01"), "N01", BY_NATIONAL_ID),
            (reported("Hiroshi Tanaka", fide_id="111"), "N01", BY_FIDE_ID),
            (reported("Tanaka Hiroshii", fide_id="111"), "N01", BY_FIDE_ID),
            (reported("Carlsen, M.", fide_id="888"), "N08", BY_FIDE_ID),
            (reported("Magnus Carlsen (NOR)", fide_id="888"), "N08", BY_FIDE_ID),
            (reported("", fide_id="111"), "N01", BY_FIDE_ID),
            (reported("Sato Yuto", "N03"), "N03", BY_NATIONAL_ID),
            (reported("Nakagawa Seiji", "N07"), "N07", BY_NATIONAL_ID),  # the id tells namesakes apart
            (reported("Ohno Ken", "N04"), "N04", BY_NATIONAL_ID),
            (reported("大野健", "N04"), "N04", BY_NATIONAL_ID),
        ],
    )
    def test_who_and_by_what(self, matcher, player, member, how):
        found = matcher.find(player)
        assert (found.sure, found.how) == (member, how)
        assert ids(found) == [member]


class TestAsked:
    """Not sure: whom the candidates begin with, and a reason that the first of them must have."""

    @pytest.mark.parametrize(
        ("player", "first", "reason"),
        [
            # a name that is not exactly so
            (reported("tanaka hiroshi"), "N01", "name-normal"),
            (reported("Tanaka, Hiroshi"), "N01", "name-normal"),
            (reported("Tanaka  Hiroshi"), "N01", "name-normal"),
            (reported("Hiroshi Tanaka"), "N01", "name-normal"),
            (reported("田中弘"), "N01", "name-normal"),
            (reported("タナカ ヒロシ"), "N01", "name-normal"),
            (reported("Carlsen M"), "N08", "name-part"),
            (reported("Tanaka Hirosshi"), "N01", "name-close"),
            (reported("Tanaka Hirozi"), "N01", "name-near"),
            # a name of two members, or that contradicts
            (reported("Nakagawa Seiji"), "N06", "namesakes"),
            (reported("Tanaka Hiroshi", born=LATER), "N01", "other-birth-date"),
            (reported("Tanaka Hiroshi", "N77"), "N01", "other-national-id"),
            (reported("Tanaka Hiroshi", "N02"), "N01", "other-national-id"),
            (reported("Tanaka Hiroshi", "n02"), "N01", "other-national-id"),
            (reported("Tanaka Hiroshi", "Ｎ－０２"), "N01", "other-national-id"),
            (reported("Tanaka Hiroshi", fide_id="555"), "N01", "other-fide-id"),
            (reported("Sato Yuto", fide_id="111"), "N03", "other-fide-id"),
            (reported("Sato Yuta", native="佐藤 優太"), "N02", "other-writing"),
            (reported("Sato Yuki", native="佐藤 裕太"), "N02", "other-writing"),
            # an id that the report contradicts
            (reported("Tanaka Satoshi", "N01"), "N01", "name-near"),
            (reported("Tanaka Hiroki", "N01"), "N01", "name-near"),
            (reported("Yamada Jiro", "N01"), "N01", "name-other"),
            (reported("Tanaka", "N01"), "N01", "national-id"),  # a family's name is not one's own
            (reported("Sato Yuto", "N02"), "N03", "name-exact"),
            (reported("Ono Ken", "N04"), "N05", "name-exact"),
            (reported("小野 健", "N04"), "N05", "name-exact"),
            (
                reported("Sato Yuto", "N01", native="田中 弘"),
                "N01",
                "fits-another",
            ),  # one name fits, one does not
            (reported("Tanaka Hiroshi", "N01", "222"), "N01", "other-fide-id"),
            (reported("Tanaka Hiroshi", "N01", "555"), "N01", "other-fide-id"),
            (reported("Tanaka Hiroshi", "N02", "111"), "N01", "other-national-id"),
            (reported("", "N01", "222"), "N01", "other-fide-id"),
            (reported("Tanaka Hiroshi", "N01", born=LATER), "N01", "other-birth-date"),
            (reported("Shimizu Aya", fide_id="999"), "N09", "fide-id"),  # two members bear it
            (reported("Shimizu Maya", "N10", "999"), "N10", "national-id"),
        ],
    )
    def test_first_and_why(self, matcher, player, first, reason):
        found = matcher.find(player)
        assert (found.sure, found.how) == (None, "")
        assert ids(found)[0] == first
        assert reason in codes(found.candidates[0])

    @pytest.mark.parametrize(
        ("said", "other"),
        [
            ("Kobayashi Katsuhika", "Kobayashi Katsuhikan"),
            ("Kobayashi Katsuhika", "Kobayashi Katsuhikaru"),
            ("Kobayashi Katsuhika", "Kobayashi Katsuhika"),
            ("Kobayashi K.", "Kobayashi Kenta"),
            ("KOBAYASHI Katsuhiko", "KOBAYASHI Katsuhiko"),
        ],
    )
    def test_an_id_with_a_name_that_fits_another_member_as_well(self, said, other):
        two = Matcher([Member("A", ("Kobayashi Katsuhiko",)), Member("B", (other,))])
        found = two.find(reported(said, "A"))
        assert found.sure is None
        assert "fits-another" in codes(next(c for c in found.candidates if c.player_id == "A"))
        alone = Matcher([Member("A", ("Kobayashi Katsuhiko",)), Member("B", ("Sato Yuta",))])
        assert alone.find(reported(said, "A")).sure == "A"

    def test_an_id_with_a_name_of_one_normal_form_with_another_members(self, matcher):
        assert matcher.find(reported("ONO KEN", "N04")).sure == "N04"  # Ohno Ken's, who may write it so

    def test_both_members_of_a_name_are_offered(self, matcher):
        assert ids(matcher.find(reported("Nakagawa Seiji")))[:2] == ["N06", "N07"]

    def test_of_namesakes_the_one_whose_kanji_agree_comes_first(self, matcher):
        found = matcher.find(reported("Nakagawa Seiji", native="中川誠二"))
        assert ids(found)[:2] == ["N07", "N06"]
        assert "other-writing" in codes(found.candidates[1])

    def test_who_the_id_names_is_offered_after_agreeing_names_and_before_near_ones(self, matcher):
        assert ids(matcher.find(reported("Sato Yuto", "N08")))[:2] == ["N03", "N08"]
        assert ids(matcher.find(reported("Sato Yutto K.", "N08")))[0] == "N08"

    def test_nobody_like_it(self, matcher):
        assert matcher.find(reported("Zyx Wvut")) == (None, "", ())
        assert matcher.find(reported("")) == (None, "", ())
        assert matcher.find(reported("?!", "N99", "12")) == (None, "", ())

    def test_an_id_of_this_register_that_nobody_bears_is_somebody_new_or_a_slip(self, matcher):
        assert matcher.find(reported("Zyx Wvut", "N99")) == (None, "", ())

    def test_at_most_five(self):
        many = Matcher(Member(f"N{n:02}", (f"Sato Yuta {sign}",)) for n, sign in enumerate("abcdefghij"))
        assert len(many.find(reported("Sato Yuta")).candidates) == 5


class TestReasons:
    def test_facts_and_ratio(self, matcher):
        found = matcher.find(reported("Hiroki Tanaka", "N99", "111", born=LATER, sex="w"))
        (first, *_) = found.candidates
        assert (first.player_id, first.known_as, first.ratio) == ("N01", "Tanaka Hiroshi", 92)
        assert first.reasons == (
            ("fide-id", (("id", "111"),)),
            ("name-near", (("reported", "Hiroki Tanaka"), ("known", "Tanaka Hiroshi"), ("ratio", "92"))),
            ("other-national-id", (("reported", "N99"), ("known", "N01"))),
            ("other-birth-date", (("reported", "1990-05-02"), ("known", "1990-05-01"))),
            ("other-sex", ()),
        )

    def test_the_same_birth_date_and_the_likest_name(self, matcher):
        (found,) = matcher.find(reported("田中弘", born=BORN)).candidates
        assert (found.known_as, found.ratio) == ("田中 弘", 100)
        assert codes(found) == ["name-normal", "same-birth-date"]

    def test_without_a_name_there_is_no_ratio(self, matcher):
        (found,) = matcher.find(reported("", "N01")).candidates
        assert (found.ratio, codes(found)) == (None, ["national-id"])

    def test_namesakes_are_counted(self, matcher):
        first = matcher.find(reported("Nakagawa Seiji")).candidates[0]
        assert ("namesakes", (("count", "2"),)) in first.reasons

    def test_every_reason_has_its_sentence_and_every_sentence_its_reason(self):
        known = {
            *player_matching.IDS,
            *player_matching.NAMES.values(),
            *player_matching.CONTRADICTIONS,
            *player_matching.NOTES,
        }
        assert known == set(catalogue("matching"))

    @settings(max_examples=examples(40))
    @given(st.sampled_from(REGISTER), st.sampled_from(REGISTER), st.booleans(), st.booleans(), st.booleans())
    def test_every_reason_can_be_said(self, one, other, with_id, with_fide_id, with_birth):
        player = reported(
            one.names[0],
            with_id * other.player_id,
            with_fide_id * other.fide_id,
            born=LATER if with_birth else None,
        )
        for candidate in Matcher(REGISTER).find(player).candidates:
            for reason in candidate.reasons:
                for lang in ("en", "ja"):
                    assert "{" not in say("matching", reason.code, lang, **dict(reason.facts))


class TestRegister:
    def test_members_may_be_added(self):
        matcher = Matcher([])
        assert matcher.find(reported("Sato Yuta")).candidates == ()
        matcher.add(Member("P1", ("Sato Yuta", ""), "5"))
        assert matcher.find(reported("Sato Yuta")).sure == "P1"
        assert matcher.find(reported("Satoh Yuta", fide_id="5")).sure == "P1"
        matcher.add(Member("P2", ("Sato Yuta",)))
        assert ids(matcher.find(reported("Sato Yuta"))) == ["P1", "P2"]

    def test_who_was_erased_is_nobody_in_later_reports_either(self):
        """Somebody new in the first report changes nothing of it in the next."""
        ledger = read_ledger(Path(__file__).parents[2] / "examples" / "japan")
        player = ledger.players[0]
        own = Matcher(members(ledger), {player.player_id})
        new = Decision("a", 1, "Nobody Known", NEW)
        people = PlayerIdentifier(ledger, [new], add_players=False, matcher=own)
        first = Report(ReportedEvent("A"), (reported("Nobody Known"),), ())
        erased = Report(ReportedEvent("B"), (reported(player.name, player.player_id),), ())
        assert [match.how for match in people.match("a", first, [])[0]] == ["added"]
        matches, (asked,) = people.match("b", erased, [])
        assert matches == []
        assert "erased" in codes(asked.candidates[0])

    def test_a_member_of_several_rows_has_all_their_names(self):
        matcher = Matcher(
            [Member("P1", ("Sato Aya",)), Member("P2", ("Ito Ken",)), Member("P1", ("Kato Aya",))]
        )
        assert matcher.find(reported("Sato Aya")).sure == "P1"
        assert matcher.find(reported("Kato Aya")).sure == "P1"

    def test_the_same_name_in_both_columns_is_one(self):
        assert (
            Matcher([Member("P1", ("Allen Enzo", "Allen Enzo "))]).find(reported("Allen Enzo")).sure == "P1"
        )

    def test_a_struck_row_bears_no_name(self, ledger_folder):
        folder = ledger_folder("japan")
        path = folder / "players.csv"
        assert Matcher(members(read_ledger(folder))).find(reported("CHIBA Saburo")).sure == "C"
        path.write_text(
            "player_id,name,added,struck\nA,Abe,,\nB,Baba,,\n"
            "C,CHIBA Saburo,,2022-10-01\nC,CHIBA Shiro,2022-10-01,\n",
            "utf-8",
        )
        matcher = Matcher(members(read_ledger(folder)))
        assert matcher.find(reported("CHIBA Saburo")).sure is None
        assert matcher.find(reported("CHIBA Shiro")).sure == "C"

    def test_in_a_fide_pool_ids_are_fides_and_national_ids_say_nothing(self, ledger_folder):
        folder = ledger_folder("fide")
        assert members(read_ledger(folder))[0].fide_id == ""  # with a letter it is none of FIDE's
        for path in folder.glob("*.csv"):
            path.write_text(re.sub(r"\bF(?=\d)", "70000", path.read_text("utf-8")), "utf-8")
        known = members(read_ledger(folder))
        assert known[0].fide_id == known[0].player_id
        matcher, (one, other) = Matcher(known), known[:2]
        assert matcher.find(reported(one.names[0], "4711", one.fide_id)).how == BY_FIDE_ID
        assert matcher.find(reported(one.names[0], other.player_id, one.fide_id)).sure == one.player_id
        assert matcher.find(reported("", other.player_id)).sure is None

    def test_a_go_ledger(self, ledger_folder):
        known = members(read_ledger(ledger_folder("go")))
        assert Matcher(known).find(reported(known[0].names[0])).sure == known[0].player_id


names = st.text("SsaAtToOh uū,.-'佐藤さサﾀ?ー", max_size=14)


@settings(max_examples=examples(150))
@given(
    st.lists(st.tuples(names, names, st.sampled_from(["", "1", "2"])), max_size=6),
    st.builds(
        reported, names, st.sampled_from(["", "M0", "M1", "M9"]), st.sampled_from(["", "1", "3"]), names
    ),
)
def test_whoever_is_sure_bears_the_id_or_alone_the_very_name(rows, player):
    """In any register: by no id and no name but their own, and never of two."""
    known = [Member(f"M{n}", row[:2], row[2]) for n, row in enumerate(rows)]
    found = Matcher(known).find(player)
    assert len(found.candidates) <= 5
    assert len(set(ids(found))) == len(found.candidates)
    if found.sure is None:
        return
    member = known[int(found.sure[1:])]
    said = {name.strip() for name in (player.name, player.name_native)} - {""}
    if found.how == BY_NATIONAL_ID:
        assert player.national_id == member.player_id
    elif found.how == BY_FIDE_ID:
        assert [m for m in known if m.fide_id == player.fide_id] == [member]
    else:
        assert [m for m in known if said & {name.strip() for name in m.names}] == [member]
    assert player.national_id in ("", member.player_id)


@settings(max_examples=examples(60))
@given(st.text(max_size=80), st.text(max_size=20), st.text(max_size=20))
def test_any_text_finds_somebody_or_nobody(name, national_id, native):
    assert Matcher(REGISTER).find(reported(name, national_id, native=native)).how in (
        "",
        *player_matching.HOW.values(),
        BY_NAME,
    )


def bench():
    """The benchmark, which is no module of the package."""
    path = Path(__file__).parents[2] / "bench" / "matching.py"
    spec = importlib.util.spec_from_file_location("bench_matching", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(path.parent))
    return module


@pytest.fixture(scope="module")
def noise():
    tool = bench()
    if not tool.REGISTER.is_file():
        pytest.skip(f"needs the shared folder of real files beside the project: there is no {tool.REGISTER}")
    return tool.Bench(tool.register(tool.REGISTER), seed=7)


class TestRealRegister:
    """The benchmark in small on the federation's register: 2,189 entries, 26 names under two ids."""

    def test_nobody_is_taken_for_somebody_else(self, noise):
        tallies = [*noise.without_ids(15), *noise.with_ids(15), *noise.newcomers(40)[:2]]
        assert [line for tally in tallies for line in tally.wrong] == []
        assert sum(tally.cases for tally in tallies) > 500

    def test_names_as_they_stand_are_sure_but_for_namesakes(self, noise):
        sure = [noise.matcher.find(reported(m.names[0])).sure for m in noise.members]
        assert all(found in (None, m.player_id) for found, m in zip(sure, noise.members, strict=True))
        assert sure.count(None) == 52  # 26 names under two ids

    def test_noisy_names_are_offered(self, noise):
        tallies = noise.without_ids(30)
        count = sum(tally.cases for tally in tallies)
        assert sum(tally.first_three for tally in tallies) * 100 >= 98 * count
        assert sum(tally.first for tally in tallies) * 100 >= 95 * count
