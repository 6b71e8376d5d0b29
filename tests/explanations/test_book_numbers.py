"""The numbers of a book in its sentences: a reformed book tells its own, the printed one the printed text."""

from __future__ import annotations

import pytest

from banzuke.core.derived_books import reform_book
from banzuke.core.registry import BOOKS
from banzuke.core.sentences import Statement
from banzuke.explanations.explanation import SentenceWriter

GAME = {"game": "", "sixteen": "", "score": "", "share": "", "difference": "", "side": "", "change": ""}
DUAL = {"effective": 1, "played": 1, "k": 1, "points": 1, "expected": 1, "surplus": 1}
#: Book, sentence, its facts, a part as printed in both languages, a reform, and the part after it.
SAID = [
    ("jcf-2024", "k-ever-2400", {"k": 10}, ("reached 2400.", "一度2400以上"), {"reached_rating": 2300}, ("reached 2300.", "一度2300以上")),
    ("ncs-2022", "k-ever-2400", {"k": 10}, ("reached 2400.", "一度2400以上"), {"reached_rating": 2300}, ("reached 2300.", "一度2300以上")),
    ("fide-2024", "k-ever-2400", {"k": 10}, ("reached 2400.", "一度2400以上"), {"reached_rating": 2300}, ("reached 2300.", "一度2300以上")),
    ("fide-2024", "k-700", {"k": 10}, ("may not pass 700.", "積は700まで"), {"k_times_games": 800}, ("may not pass 800.", "積は800まで")),
    ("hakodate", "club-established", GAME, ("4 % of", "の4％で"), {"per_cent": 5}, ("5 % of", "の5％で")),
    ("icu", "icu-bonus-raised", {"raised": 3}, ("K 125 % of", "その125％"), {"bonus_per_cent": 130}, ("K 130 % of", "その130％")),
    ("us-chess", "us-standard", DUAL, ("K is 800 /", "K＝800÷"), {"k_sum": 900}, ("K is 900 /", "K＝900÷")),
    ("us-chess", "us-dual", DUAL, ("above 2200 K", "2200を超える者"), {"dual_above": 2100}, ("above 2100 K", "2100を超える者")),
    ("us-chess", "us-formula-won", {}, ("400 lower", "400低い"), {"one_sided_shift": 300}, ("300 lower", "300低い")),
    ("us-chess", "us-formula-lost", {}, ("400 higher", "400高い"), {"one_sided_shift": 300}, ("300 higher", "300高い")),
    ("pandanet", "go-not-board", {}, ("19 by 19.", "19路盤でない"), {"board_size": 13}, ("13 by 13.", "13路盤でない")),
    ("pandanet", "go-not-moves", {}, ("moves than two.", "2手未満"), {"least_moves": 12}, ("moves than 12.", "12手未満")),
    ("pandanet", "go-not-difference", {}, ("more than three.", "3段を"), {"widest_ranks": 2}, ("more than two.", "2段を")),
    ("pandanet", "go-bc-promoted", {"rank_after": "17k"}, ("the fifth win", "5勝目"), {"bc_wins": 22}, ("the 22nd win", "22勝目")),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "key", "facts", "printed", "changes", "reformed"), SAID, ids=[f"{s[0]}-{s[1]}" for s in SAID]
)
def test_a_sentence_has_the_numbers_of_its_book(name, key, facts, printed, changes, reformed):
    book = BOOKS[name]
    for made, parts in ((book, printed), (reform_book(book, changes), reformed)):
        for lang, part in zip(("en", "ja"), parts, strict=True):
            assert part in SentenceWriter(made, lang).sentence(Statement(key, "", facts)).text
