"""A register into a ledger: what is planned is what is done, all of it or nothing."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.core.facts import Membership, Player
from banzuke.core.fault import RefusedError
from banzuke.engine.rating_run import rate_ledger
from banzuke.exchange import register_import
from banzuke.exchange.register_import import (
    Change,
    Plan,
    Register,
    carry_out,
    load_columns,
    plan,
    plan_for_ledger,
    save_columns,
)
from banzuke.formats.member_register import FIELDS, ReportedMember, headings, propose, read, table
from banzuke.ledger.folder import read_ledger

HEADINGS, COLUMNS = ["会員番号", "氏名"], {"id": "会員番号", "name": "氏名"}
DAY, LAST = date(2025, 4, 1), date(2026, 3, 31)


def register(*members: ReportedMember, valid_from=None) -> Register:
    return Register("m.csv", HEADINGS, COLUMNS, list(members), valid_from)


def contents(folder) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def codes(refused) -> list[tuple[int, str, str]]:
    return [(fault.line, fault.column, fault.code) for fault in refused.value.faults]


@pytest.fixture
def japan(ledger_folder):
    """Members A (ABE, Ichiro; born 1990-05-05) and B (BABA Jiro), A with an annual membership of 2024-2025."""
    return ledger_folder("japan")


class TestPlan:
    def test_new_changed_and_same(self, japan):
        found = plan(
            japan,
            register(
                ReportedMember("A", "ABE Ichiro", birth_date=date(1990, 5, 6)),
                ReportedMember("B", "BABA Jiro"),
                ReportedMember("N", "NEW One", "新 人", sex="m"),
            ),
        )
        assert found == Plan(
            added=(Player("N", "NEW One", "新 人", sex="m"),),
            changes=(
                Change("A", "name", "ABE, Ichiro", "ABE Ichiro"),
                Change("A", "birth_date", date(1990, 5, 5), date(1990, 5, 6)),
            ),
            memberships=(),
            same=1,
            lapsed=0,
        )

    def test_what_is_blank_changes_nothing(self, japan):
        found = plan(japan, register(ReportedMember("A"), ReportedMember("B", "BABA Jiro")))
        assert found == Plan((), (), (), 2, 0)
        assert found.is_empty

    def test_a_club_by_its_name(self, japan):
        found = plan(
            japan, register(ReportedMember("A", club_id="Small Club"), ReportedMember("B", club_id="X"))
        )
        assert [change.new for change in found.changes] == ["C1", "X"]

    @pytest.mark.parametrize(
        ("has", "said", "becomes"),
        [
            (("", ""), ("FM", ""), ("FM", "")),
            (("FM", "FIDE"), ("IM", ""), ("IM", "FIDE")),
            (("FM", "FIDE list of March"), ("NM", ""), ("NM", "")),
            (("NM", ""), ("SM", ""), ("SM", "")),
            (("NM", "the federation"), ("FM", ""), ("NM", "the federation")),
            (("NM", "the federation"), ("FM", "FIDE"), ("FM", "FIDE")),
            (("FM", "FIDE"), ("", "FIDE"), ("FM", "FIDE")),
        ],
    )
    def test_a_title_takes_the_place_of_another(self, japan, has, said, becomes):
        path = japan / "players.csv"
        rows = path.read_text("utf-8").splitlines()
        more = [",title,title_from", f",{has[0]},{has[1]}", *[",,"] * (len(rows) - 2)]
        path.write_text("".join(f"{a}{b}\n" for a, b in zip(rows, more, strict=True)), "utf-8")
        taken = register(ReportedMember("A", title=said[0], title_from=said[1]))
        carry_out(japan, taken, plan(japan, taken))
        player = next(player for player in read_ledger(japan).players if player.player_id == "A")
        assert (player.title, player.title_from) == becomes

    def test_a_new_member_brings_a_title(self, japan):
        taken = register(ReportedMember("N", "NEW One", title="WIM", title_from="FIDE"))
        assert plan(japan, taken).added == (Player("N", "NEW One", title="WIM", title_from="FIDE"),)

    def test_fide_ratings_are_taken_over_once(self, japan):
        taken = register(
            ReportedMember("B", fide_standard=2100),
            ReportedMember("N", "NEW One", fide_standard=1900, fide_blitz=1850),
        )
        found = plan(japan, taken)
        assert found.added == (Player("N", "NEW One", fide_standard=1900, fide_blitz=1850),)
        assert found.changes == (Change("B", "fide_standard", None, 2100),)
        carry_out(japan, taken, found)
        assert plan(japan, taken).is_empty
        later = register(ReportedMember("B", fide_rapid=2000), ReportedMember("N", fide_standard=1900))
        again = plan(japan, later)
        assert (again.is_empty, again.ratings_kept, again.same) == (True, 1, 2)

    def test_memberships_that_no_standing_one_covers(self, japan):
        held = ReportedMember("A", valid_from=date(2024, 1, 1), valid_to=date(2025, 12, 31))
        assert plan(japan, register(held)).memberships == ()
        longer = held._replace(valid_to=LAST)
        assert plan(japan, register(longer)).memberships == (
            Membership("A", "annual", date(2024, 1, 1), LAST),
        )
        # B has a membership for one event only.
        event = ReportedMember("B", valid_from=date(2024, 6, 1), valid_to=date(2024, 6, 2))
        assert len(plan(japan, register(event)).memberships) == 1

    def test_a_first_day_for_the_whole_register(self, japan):
        members = [
            ReportedMember("A", valid_to=LAST),
            ReportedMember("B", valid_from=date(2025, 5, 1), valid_to=LAST),
            ReportedMember("N", "NEW One", valid_to=date(2025, 3, 31)),
        ]
        found = plan(japan, register(*members, valid_from=DAY))
        assert [(row.player_id, row.valid_from) for row in found.memberships] == [
            ("A", DAY),
            ("B", date(2025, 5, 1)),
        ]
        assert found.lapsed == 1

    def test_leaves_the_ledger_alone(self, japan):
        before = contents(japan)
        plan(japan, register(ReportedMember("N", "NEW One")))
        assert contents(japan) == before


class TestRefused:
    def test_all_at_once_with_their_rows(self, japan):
        members = [
            ReportedMember("N", line=2),
            ReportedMember("A", valid_to=LAST, line=3),
            ReportedMember("B", valid_from=DAY, line=4),
        ]
        with pytest.raises(RefusedError) as refused:
            plan(japan, register(*members))
        assert codes(refused) == [
            (2, "name", "register-nameless"),
            (3, "valid_from", "register-no-start"),
            (4, "valid_to", "register-no-end"),
        ]

    @pytest.mark.parametrize(
        ("said", "code"),
        [
            (ReportedMember("A", name="Iv\u0430nov", line=2), "cell-mixed"),
            (ReportedMember("A", name_native="Iv\u0430nov", line=2), "cell-mixed"),
            (ReportedMember("A", title="G\u043c", line=2), "cell-mixed"),
            (ReportedMember("A", club_id="Clu\u0431b", line=2), "cell-mixed"),
            (ReportedMember("D", name="DATE Shiro", club_id="C" * 201, line=2), "cell-long-id"),
            (ReportedMember("D" * 201, name="DATE Shiro", line=2), "cell-long-id"),
        ],
    )
    def test_what_no_ledger_holds_of_members_new_or_known(self, japan, said, code):
        with pytest.raises(RefusedError) as refused:
            plan(japan, register(said))
        assert [(one.line, one.code) for one in refused.value.faults] == [(2, code)]

    def test_what_is_in_the_book_already_is_no_fault_of_the_register(self, japan):
        ledger, mixed = read_ledger(japan), "Iv\u0430nov"
        ledger.players[0] = ledger.players[0]._replace(name=mixed)
        said = ReportedMember("A", name=mixed, title="FM", line=2)
        assert [one.field for one in plan_for_ledger(ledger, register(said)).changes] == ["title"]

    def test_a_struck_member(self, japan):
        players = (japan / "players.csv").read_text("utf-8")
        (japan / "players.csv").write_text(players + "S,OLD One,,,,,2024-12-01\n", "utf-8")
        with pytest.raises(RefusedError) as refused:
            plan(japan, register(ReportedMember("S", "OLD One", line=2)))
        assert codes(refused) == [(2, "id", "register-struck")]

    def test_a_go_pool(self, ledger_folder):
        with pytest.raises(RefusedError) as refused:
            plan(ledger_folder("go"), register(ReportedMember("A", "A B")))
        assert [fault.code for fault in refused.value.faults] == ["not-chess"]


class TestCarryOut:
    def test_writes_what_was_agreed(self, japan):
        before = read_ledger(japan)
        taken = register(
            ReportedMember("A", "ABE Ichiro", valid_from=DAY, valid_to=LAST),
            ReportedMember("N", "NEW One", sex="w"),
        )
        carry_out(japan, taken, plan(japan, taken))
        after = read_ledger(japan)
        assert after.players == [
            *(p._replace(name="ABE Ichiro") if p.player_id == "A" else p for p in before.players),
            Player("N", "NEW One", sex="w"),
        ]
        assert after.memberships == [*before.memberships, Membership("A", "annual", DAY, LAST)]
        assert (after.games, after.events) == (before.games, before.events)
        assert plan(japan, taken).is_empty

    def test_a_dated_change_strikes_and_adds(self, japan):
        (old,) = [player for player in read_ledger(japan).players if player.player_id == "A"]
        taken = register(ReportedMember("A", "ABE Ichiro"))
        carry_out(japan, taken, plan(japan, taken), DAY)
        rows = [player for player in read_ledger(japan).players if player.player_id == "A"]
        assert rows == [old._replace(struck=DAY), old._replace(name="ABE Ichiro", added=DAY)]
        assert plan(japan, taken).is_empty

    def test_refuses_a_plan_that_is_out_of_date(self, japan):
        taken = register(ReportedMember("N", "NEW One"))
        agreed = plan(japan, taken)
        carry_out(japan, taken, agreed)
        before = contents(japan)
        with pytest.raises(RefusedError) as refused:
            carry_out(japan, taken, agreed)
        assert [fault.code for fault in refused.value.faults] == ["register-outdated"]
        assert contents(japan) == before

    def test_nothing_is_left_half_done(self, japan, monkeypatch):
        taken = register(ReportedMember("N", "NEW One"))
        agreed, before = plan(japan, taken), contents(japan)

        def fails(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(register_import, "replace_ledger_tables", fails)
        with pytest.raises(OSError, match="No space"):
            carry_out(japan, taken, agreed)
        assert contents(japan) == before

    def test_what_the_ledger_would_not_check_is_refused_whole(self, japan):
        taken = register(ReportedMember("N", "bad\x01name"))
        before = contents(japan)
        with pytest.raises(RefusedError):
            carry_out(japan, taken, plan(japan, taken))
        assert contents(japan) == before

    def test_columns_that_cannot_be_read_are_said_before_anything_is_written(self, japan):
        (japan / "register.toml").write_text("[[register", "utf-8")
        taken = register(ReportedMember("A"))
        before = contents(japan)
        with pytest.raises(RefusedError):
            carry_out(japan, taken, plan(japan, taken))
        assert contents(japan) == before

    def test_the_remembered_columns_do_not_disturb_the_rating(self, japan, tmp_path):
        rate_ledger(read_ledger(japan), tmp_path / "before")
        taken = register(ReportedMember("A"))
        carry_out(japan, taken, plan(japan, taken))
        assert (japan / "register.toml").exists()
        rate_ledger(read_ledger(japan), tmp_path / "after")
        assert contents(tmp_path / "before") == contents(tmp_path / "after")

    def test_the_real_register_twice(self, japan, shared):
        path = shared / "data" / "jcf" / "jcf_players_ncs_id.csv"
        data = path.read_bytes()
        names = headings(table(data, path.name, []))
        members, _ = read(data, path.name, propose(names))
        taken = Register(path.name, names, propose(names), members)
        agreed = plan(japan, taken)
        assert (len(agreed.added), agreed.changes, agreed.same) == (2189, (), 0)
        carry_out(japan, taken, agreed)
        again = plan(japan, taken)
        assert (again.is_empty, again.same) == (True, 2189)


class TestColumns:
    def test_are_remembered_by_the_headings(self, japan):
        assert load_columns(japan, HEADINGS) is None
        save_columns(japan, HEADINGS, COLUMNS)
        save_columns(japan, ["a", "b"], {"id": "a"})
        assert load_columns(japan, HEADINGS) == COLUMNS
        assert load_columns(japan, ["a", "b"]) == {"id": "a"}
        assert load_columns(japan, ["b", "a"]) is None
        save_columns(japan, ["a", "b"], {"id": "b"})
        assert load_columns(japan, ["a", "b"]) == {"id": "b"}
        assert load_columns(japan, HEADINGS) == COLUMNS

    def test_of_the_ledgers_own_table_need_no_saying(self, japan):
        names = ["player_id", "name", "birth_date", "fide_standard"]
        assert load_columns(japan, names) == {
            "id": "player_id",
            "name": "name",
            "birth_date": "birth_date",
            "fide_standard": "fide_standard",
        }
        assert load_columns(japan, [*names, "phone"]) is None

    @settings(max_examples=examples(40))
    @given(st.dictionaries(st.sampled_from(FIELDS), st.text(st.characters(exclude_categories=["Cs"]))))
    def test_any_heading_is_kept_as_it_is(self, tmp_path_factory, columns):
        folder = tmp_path_factory.mktemp("ledger")
        save_columns(folder, list(columns.values()), columns)
        assert load_columns(folder, list(columns.values())) == columns

    @pytest.mark.parametrize(
        "text",
        [
            "register = 1",
            "[[register]]",
            "[[register]]\nheadings = [1]\ncolumns = {}",
            '[[register]]\nheadings = ["a"]\ncolumns = {x = "a"}',
            '[[register]]\nheadings = ["a"]\ncolumns = {id = 1}',
            "[[register]]\nheadings = 1\ncolumns = []",
            "register = [1]",
        ],
    )
    def test_a_file_of_another_shape_is_refused(self, japan, text):
        (japan / "register.toml").write_text(text, "utf-8")
        with pytest.raises(RefusedError) as refused:
            load_columns(japan, HEADINGS)
        assert [(fault.file, fault.code) for fault in refused.value.faults] == [
            ("register.toml", "register-columns")
        ]

    def test_no_toml_is_refused_with_its_line(self, japan):
        (japan / "register.toml").write_text("[[register]\n", "utf-8")
        with pytest.raises(RefusedError) as refused:
            load_columns(japan, HEADINGS)
        assert [(fault.file, fault.line) for fault in refused.value.faults] == [("register.toml", 1)]
