"""How a game ended, as a server says it, and what the ledger has of it."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from banzuke.api.live.go_bodies import Reason
from banzuke.core.go_endings import LOSER, REASONS, EndingFault, game_by_reason
from banzuke.core.go_facts import BLACK, DRAW, VOID, WHITE, GoGame
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import GoBook

GO_BOOKS = [book for book in BOOKS.values() if isinstance(book, GoBook)]


def test_every_reason_is_known_to_each_book_and_to_the_api():
    assert get_args(Reason) == ("", *REASONS)
    assert all(tuple(book.endings) == tuple(REASONS) for book in GO_BOOKS)


@given(
    st.sampled_from(GO_BOOKS),
    st.sampled_from(["", *REASONS]),
    st.sampled_from([BLACK, WHITE, DRAW, VOID]),
    st.sampled_from(["", "black", "white"]),
    st.integers(0, 5),
)
def test_only_a_loser_is_at_fault_and_the_same_again_is_the_same(book, reason, result, fault, moves):
    game = GoGame("G", datetime(2026, 1, 1, tzinfo=UTC), "a", "b", result, 0, 13, 19, moves, fault=fault)
    rules = book.endings, book.usual_game[1], "1"
    found = game_by_reason(game, reason, *rules)
    if isinstance(found, EndingFault):
        assert fault or reason
        return
    assert found._replace(fault=fault) == game, "nothing but the fault is another"
    if reason:
        assert found.fault in ("", LOSER.get(result))
        assert game_by_reason(found, reason, *rules) == found
    else:
        assert found == game
