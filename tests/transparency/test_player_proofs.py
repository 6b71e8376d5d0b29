"""A player's proof: what it proves, and changes of it that are all refused."""

from __future__ import annotations

import json
import re
from itertools import combinations

import pytest
from made_log import CHANGES, EVENTS, KEY, LISTS, NAME, OTHER, PUBLIC, content, made_list, made_log
from proof_mutations import (
    GROWTH_WAYS,
    PLAYER,
    given_out,
    growth_mutations,
    honest_growth,
    player_mutations,
    refuses,
    refuses_growth,
    tally,
)

from banzuke.engine import result_rows
from banzuke.transparency import list_leaves
from banzuke.transparency.list_leaves import Person, person_commitment, person_key, read_leaf, split_content
from banzuke.transparency.player_proofs import LeafPlace, LogPlace, check_player_proof, player_proof
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.proof_files import ProofFile, read_proof, write_proof
from banzuke.transparency.signed_notes import public_key

FEW, MANY = 600, 10_000


class TestLeaves:
    def test_headers_are_those_of_the_result_files(self):
        assert ",".join(result_rows.LISTS) == LISTS
        assert ",".join(result_rows.CHANGES) == CHANGES
        assert LISTS.startswith(list_leaves.ROWS[0])
        assert ",".join(result_rows.GO_STANDINGS).startswith(list_leaves.ROWS[1])
        assert CHANGES.startswith(list_leaves.CHANGES[0])
        assert ",".join(result_rows.GO_CHANGES).startswith(list_leaves.CHANGES[1])

    def test_every_line_of_the_content_is_in_one_leaf_as_it_stands(self):
        made = made_list("2025-03", 40)
        lines = made.content.decode().splitlines()[2:-1]
        said = [line for leaf in made.leaves.values() for line in leaf.decode().splitlines()]
        for line in {*lines} - {LISTS, CHANGES}:
            assert said.count(line) == 1, line

    def test_one_leaf(self):
        made = made_list("2025-03", 40)
        leaf = made.leaves["J,1"]
        found = read_leaf(leaf)
        assert (found.name, found.player, found.person) == ("2025-03", "J,1", made.people["J,1"].commitment)
        assert leaf.startswith(b"banzuke player,1\nlist,2025-03\nevent,")
        assert found.events.items() <= EVENTS.items()
        assert found.rows[0]["rating"].isdigit()
        assert {change["player_id"] for change in found.changes} == {"J,1"}

    def test_in_the_order_of_the_ids_bytes(self):
        players = list(split_content(content("2025-03", 12)).players)
        assert players == sorted(players, key=str.encode)

    def test_who_has_games_but_no_rating_has_a_leaf(self):
        leaf = read_leaf(made_list("2025-03", 30).leaves["J1000"])
        assert leaf.rows == []
        assert leaf.changes

    def test_go(self):
        text = (
            "banzuke list,2025-03\nedition,b,2024-01-01,,{}\nplayer_id,rank,points,rated_games,wins_in_bc\n"
            "P1,3d,120,8,0\nP2,12k,,1,2\n"
            "game_id,player_id,opponent_id,rank,opponent_rank,difference,upper,won,points,verdict,rank_after,clause\n"
            "g-1,P1,P2,3d,12k,3/2,1,1,2,rated,3d,5\ng-1,P2,P1,12k,3d,3/2,0,0,-2,rated,12k,5\nentry,9\n"
        )
        split = split_content(text.encode())
        (first, _) = list_leaves.list_leaves(split, {"P1": "0" * 64, "P2": "1" * 64}, {})
        found = read_leaf(first)
        assert (found.player, found.events) == ("P1", {})
        assert found.rows == [
            {"player_id": "P1", "rank": "3d", "points": "120", "rated_games": "8", "wins_in_bc": "0"}
        ]
        assert [change["game_id"] for change in found.changes] == ["g-1"]

    def test_nobody_and_nothing(self):
        text = f"banzuke list,2025-03\nedition,a,2024-01-01,,{{}}\n{LISTS}\n{CHANGES}\nentry,1\n"
        assert split_content(text.encode()).players == {}

    @pytest.mark.parametrize("cut", ["entry,", "banzuke list,", "edition,", f"{CHANGES}\n", "\n"])
    def test_what_is_no_content(self, cut):
        text = content("2025-03").decode()
        with pytest.raises(ProofError):
            split_content(text.replace(cut, "", 1).encode())

    def test_names_are_needed(self):
        split = split_content(content("2025-03"))
        with pytest.raises(ProofError) as refused:
            list(list_leaves.list_leaves(split, {}, EVENTS))
        assert refused.value.code == "missing-in-record"
        with pytest.raises(ProofError):
            list(list_leaves.list_leaves(split, dict.fromkeys(split.players, "0" * 64), {}))

    def test_a_leaf_of_another_form(self):
        leaf = made_list("2025-03").leaves[PLAYER].decode()
        for bad in (
            "", leaf[:-1] + ",1\n", leaf.replace("player,1", "player,2"), leaf.replace("list,2025", "list,2024", 1),
            leaf.replace("event,", "events,", 1), leaf + leaf.splitlines()[-1].replace(PLAYER, "J1003"),
            re.sub("person,[0-9a-f]{2}", "person,", leaf), re.sub("event,.*\n", "", leaf), leaf.replace(f"{CHANGES}\n", ""),
            leaf.replace(f"{LISTS}\n", ""), leaf.replace("player_id", "player"), "\n" * 9,
            leaf.replace(",rating,", ",raiting,"), leaf.replace(",games,", ",rating,"), leaf.replace("verdict", "v"),
            leaf.replace(",score,", ",verdict,"), leaf.replace(",standard,", ",slow,"),
        ):  # fmt: skip
            with pytest.raises(ProofError):
                read_leaf(bad.encode())


class TestPersons:
    def test_the_key_hides_and_binds(self):
        salt, facts = bytes(32), ("Ann", "", "C1", "", "adult")
        keys = {
            person_key(salt, *where)
            for where in (("p", "2025-03", 0), ("p", "2025-03", 1), ("p", "2025-04", 0))
        }
        assert len(keys) == 3
        assert len({person_commitment(key, facts) for key in keys}) == 3
        assert person_commitment(bytes(32), facts) != person_commitment(
            bytes(32), ("Ann", "", "C1", "", "senior")
        )

    def test_of_the_right_form(self):
        with pytest.raises(ValueError, match="Ann"):
            person_commitment(bytes(31), ("Ann", "", "", "", ""))
        with pytest.raises(ValueError, match="Ann"):
            person_commitment(bytes(32), ("Ann",))


class TestWhatIsProved:
    def test_a_player_who_is_shown_by_name(self):
        found = check_player_proof(made_log().proof(2, PLAYER), [PUBLIC])
        assert (found.entry.list, found.entry.revision, found.leaf.player) == ("2025-03", 0, PLAYER)
        assert found.person.facts[0] == f"Player {list(made_log().lists[2].leaves).index(PLAYER)}"
        assert found.signed.checkpoint == made_log().checkpoint()

    def test_one_who_is_not(self):
        assert check_player_proof(made_log().proof(2, PLAYER, named=False), [PUBLIC]).person is None

    @pytest.mark.parametrize("size", [3, 4, 5])
    def test_every_player_of_every_list_at_every_size(self, size):
        log = made_log()
        for at in range(size):
            for player in log.lists[at].leaves:
                assert check_player_proof(log.proof(at, player, size), [PUBLIC]).leaf.player == player

    def test_by_a_key_of_before_too(self):
        log = made_log()
        of, place = log.lists[0], LeafPlace(0, log.lists[0].tree.inclusion_path(0))
        both = LogPlace(0, log.tree.inclusion_path(0), log.note(keys=[OTHER, KEY]))
        data = player_proof(of.body, both, next(iter(of.leaves.values())), place, None)
        assert check_player_proof(data, [PUBLIC]).signed.keys == (PUBLIC,)
        assert refuses(data, [public_key(NAME, OTHER), public_key("other", KEY)]) is False
        assert refuses(data, [public_key("other", KEY)])

    def test_a_proof_of_another_kind_of_entry(self):
        log = made_log()
        data = json.dumps({"body": "{}", "leaf": "", "index": 0, "path": []}).encode()
        assert refuses(write_proof(ProofFile(data, 0, (), log.note(1))))

    def test_the_specifications_form(self):
        data = made_log().proof(2, PLAYER).decode()
        first, extra, index, *path = data.partition("\n\n")[0].splitlines()
        assert (first, extra[:6], index, len(path)) == ("c2sp.org/tlog-proof@v1", "extra ", "index 2", 3)
        assert data.partition("\n\n")[2] == made_log().note().decode()
        without = ProofFile(None, 0, (), b"note")
        assert write_proof(without) == b"c2sp.org/tlog-proof@v1\nindex 0\n\nnote"
        assert read_proof(write_proof(without)) == without


class TestMutations:
    def test_some_of_each_kind_are_refused(self):
        assert not any(map(refuses, given_out()))
        tried, taken = tally(player_mutations(), refuses, FEW)
        assert (min(tried.values()) > FEW // 12, taken) == (True, [])

    @pytest.mark.slow
    def test_ten_thousand_are_refused(self):
        tried, taken = tally(player_mutations(1), refuses, MANY)
        assert (tried.total(), taken) == (MANY, [])

    def test_some_answers_of_a_logs_growth_are_refused(self):
        assert not any(refuses_growth(honest_growth(old, new)) for old, new in combinations(range(1, 6), 2))
        tried, taken = tally(growth_mutations(), refuses_growth, FEW)
        assert (tried.keys(), taken) == (GROWTH_WAYS.keys(), [])

    @pytest.mark.slow
    def test_ten_thousand_answers_are_refused(self):
        tried, taken = tally(growth_mutations(1), refuses_growth, MANY)
        assert (tried.total(), taken) == (MANY, [])

    def test_a_person_of_another_player_or_none(self):
        log = made_log()
        of = log.lists[2]
        mine, theirs = of.people[PLAYER], of.people["J1003"]
        for person in (theirs, Person(mine.key, theirs.facts), Person(theirs.key, mine.facts)):
            place = list(of.leaves).index(PLAYER)
            data = player_proof(
                of.body, LogPlace(2, log.tree.inclusion_path(2), log.note()), of.leaves[PLAYER],
                LeafPlace(place, of.tree.inclusion_path(place)), person,
            )  # fmt: skip
            with pytest.raises(ProofError) as refused:
                check_player_proof(data, [PUBLIC])
            assert refused.value.code == "another-person"
