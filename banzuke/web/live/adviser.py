"""The adviser: two players or ranks, the terms of their game, and what each result does for both."""

from typing import Any, NamedTuple

from django import forms
from django.utils.timezone import now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from banzuke.core.decimals import halves
from banzuke.core.go_facts import RANK_NAMES, GoLine
from banzuke.core.rulebook import RuleBook
from banzuke.database.models import Pool
from banzuke.engine.result_rows import ranks
from banzuke.explanations.explanation import Sentence
from banzuke.explanations.go_rank import explain_game
from banzuke.ledger.pool_rules import go_book
from banzuke.office.live.game_terms import (
    AdvisedPlayer,
    GameTerms,
    NoSuchPlayerError,
    ResultForBoth,
    SeveralPlayersError,
    Terms,
    side_of_player,
    side_of_rank,
    terms_between,
)
from banzuke.office.live.live_pool import synchronise
from banzuke.web.reference.calculator_forms import HalvesField
from banzuke.web.shortcuts import page_language
from banzuke.words import Language

#: An id or a name is no longer.
LONGEST = 200


class TermsForm(forms.Form):
    """Terms of a game of Go before it is played."""

    ranks = RANK_NAMES
    white = forms.CharField(
        label=_("White: a player's id or name, or a rank"), initial="1d", max_length=LONGEST
    )
    black = forms.CharField(
        label=_("Black: a player's id or name, or a rank"), initial="2k", max_length=LONGEST
    )
    stones = forms.IntegerField(
        label=_("Handicap stones (blank: regular)"), min_value=0, max_value=9, required=False
    )
    komi = HalvesField(
        label=_("Komi that Black gives (blank: regular; negative: White gives)"), required=False
    )
    number = forms.IntegerField(
        label=_("Which rated game of the player this is: its number (fill in only if you entered a rank)"),
        min_value=21,
        max_value=1_000_000,
        initial=101,
        required=False,
    )

    def __init__(self, data: Any, pool: Pool) -> None:
        super().__init__(data)
        self._pool = pool
        for side in ("white", "black"):
            self.fields[side].widget.attrs |= {"list": "ranks", "autocomplete": "off", "spellcheck": "false"}

    def clean(self) -> dict[str, Any]:
        """Both sides found, who are not the same player."""
        data: dict[str, Any] = super().clean() or {}
        data["number"] = data.get("number") or self.fields["number"].initial
        edition = synchronise(self._pool).edition_at(now())
        data["edition"] = edition
        for side in ("white", "black"):
            if side in data:
                self._find(side, data)
        white, black = data.get("white_side"), data.get("black_side")
        if white and black and white.person and white.person == black.person:
            self.add_error("black", _("White and Black are the same player. Enter another."))
        return data

    def _find(self, side: str, data: dict[str, Any]) -> None:
        word = data[side].strip()
        try:
            data[f"{side}_side"] = side_of_rank(word, data["number"], data["edition"]) or self._player(word)
        except NoSuchPlayerError:
            self.add_error(side, gettext("There is no player or rank “%(word)s”.") % {"word": word})
        except SeveralPlayersError as error:
            lang = page_language()
            some = ", ".join(f"{one.called(lang)} ({one.player_id})" for one in error.some)
            self.add_error(side, gettext("Several players match: %(some)s. Enter the id.") % {"some": some})

    def _player(self, word: str) -> AdvisedPlayer:
        return side_of_player(self._pool, word, now())


#: What the two sides go by, which no player's id can be.
WHITE, BLACK = "\0white", "\0black"


class TermsView(NamedTuple):
    """Terms: who takes which colour, and stones, komi and whether it is reverse, as pages print them."""

    white: str
    black: str
    terms: tuple[int, str, bool]


class ResultView(NamedTuple):
    """What a result does for one side; without a sentence for a rank alone, whose points are unknown."""

    who: str
    is_black: bool
    line: GoLine
    sentence: Sentence | None


def advice(question: dict[str, Any]) -> dict[str, Any]:
    """The adviser's answer to a valid question; where no terms are given, the stronger takes White."""
    sides: dict[str, AdvisedPlayer] = {WHITE: question["white_side"], BLACK: question["black_side"]}
    terms = _terms(sides, question)
    if _is_turned(terms) and question["stones"] is None and question["komi"] is None:
        sides = {WHITE: sides[BLACK], BLACK: sides[WHITE]}
        terms = _terms(sides, question)
    lang, book = page_language(), go_book(question["edition"])
    called = {key: _side_name(side, lang) for key, side in sides.items()}
    return {
        "terms": terms,
        "cites": book.cites,
        "regular": terms.regular and _terms_view(terms.regular, called),
        "given": _terms_view(terms.given, called),
        "is_regular": terms.regular == terms.given,
        "is_turned": _is_turned(terms),
        "difference": None if terms.difference is None else ranks(terms.difference),
        "upper": called.get(terms.upper, ""),
        "sides": [_points_moved(key, called, sides, terms) for key in (WHITE, BLACK)],
        "results": [
            (False, _result_views(book, terms.if_white_wins, called, sides, lang)),
            (True, _result_views(book, terms.if_black_wins, called, sides, lang)),
        ],
    }


def _terms(sides: dict[str, AdvisedPlayer], question: dict[str, Any]) -> Terms:
    states = {key: side.state for key, side in sides.items()}
    return terms_between(
        BLACK, WHITE, states, question["edition"], now(), question["stones"], question["komi"]
    )


def _is_turned(terms: Terms) -> bool:
    """Whether the stronger is to take Black."""
    return terms.regular is not None and terms.regular.white != WHITE


def _side_name(side: AdvisedPlayer, lang: Language) -> str:
    return f"{side.person.called(lang)} {side.state.rank}" if side.person else side.state.rank


def _terms_view(stones: GameTerms, called: dict[str, str]) -> TermsView:
    komi = halves(abs(stones.komi))
    return TermsView(called[stones.white], called[stones.black], (stones.stones, komi, stones.is_reverse))


def _points_moved(
    key: str, called: dict[str, str], sides: dict[str, AdvisedPlayer], terms: Terms
) -> dict[str, Any]:
    """What a side wins and loses."""
    black_wins, white_wins = terms.if_black_wins, terms.if_white_wins
    is_black = key == BLACK
    won = black_wins.black if is_black else white_wins.white
    lost = white_wins.black if is_black else black_wins.white
    return {"who": called[key], "is_black": is_black, "player": sides[key].person, "won": won, "lost": lost}


def _result_views(
    book: RuleBook,
    done: ResultForBoth,
    called: dict[str, str],
    sides: dict[str, AdvisedPlayer],
    lang: Language,
) -> list[ResultView]:
    return [
        ResultView(
            called[line.player],
            line.player == BLACK,
            line,
            explain_game(book, line, lang) if sides[line.player].person or line.points is None else None,
        )
        for line in (done.white, done.black)
    ]
