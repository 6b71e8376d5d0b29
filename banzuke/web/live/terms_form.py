"""The adviser's question: two players or ranks, and the terms of their game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.timezone import now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from banzuke.core.go_facts import RANK_NAMES
from banzuke.office.live.adviser_sides import SeveralPlayersError, of_player, of_rank
from banzuke.office.live.freshness import up_to_date
from banzuke.office.live.game_terms import NoSuchPlayerError
from banzuke.web.page_language import page_language
from banzuke.web.reference.calculator_forms import HalvesField

if TYPE_CHECKING:
    from banzuke.database.models import Pool
    from banzuke.office.live.adviser_sides import Side

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
        label=_("Number of the game among one's rated games (of ranks; a player's own is known)"),
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
        edition = up_to_date(self._pool).edition_at(now())
        data["book"], data["zone"] = edition.book, edition.zone
        for side in ("white", "black"):
            if side in data:
                self._find(side, data)
        white, black = data.get("white_side"), data.get("black_side")
        if white and black and white.person and white.person == black.person:
            self.add_error("black", _("Nobody plays himself: write another player."))
        return data

    def _find(self, side: str, data: dict[str, Any]) -> None:
        word = data[side].strip()
        try:
            data[f"{side}_side"] = of_rank(word, data["number"], data["zone"]) or self._player(word)
        except NoSuchPlayerError:
            self.add_error(side, gettext("There is no player and no rank “%(word)s”.") % {"word": word})
        except SeveralPlayersError as error:
            lang = page_language()
            some = ", ".join(f"{one.called(lang)} ({one.player_id})" for one in error.some)
            self.add_error(
                side, gettext("More than one player is meant: %(some)s. Write the id.") % {"some": some}
            )

    def _player(self, word: str) -> Side:
        return of_player(self._pool, word, now())
