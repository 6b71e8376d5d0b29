"""The forms of "this is wrong" and of an appeal."""

from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from banzuke.database.models import Objection
from banzuke.office.objections import proposals
from banzuke.office.objections.incoming_objections import (
    LONGEST,
    LONGEST_NAME,
    LONGEST_RIGHT,
    ObjectionText,
    plain_line,
    plain_text,
)
from banzuke.office.objections.subjects import GameOfPlayer, Kind, Subject
from banzuke.web.form_fields import LinesField
from banzuke.web.shortcuts import page_language
from banzuke.web.templatetags.ratings import half_points

#: The choice for what is none of the games.
ANOTHER_GAME = "another"


class SeenField(LinesField):
    """A text that says something to those who read it: of signs that nobody sees nothing is left."""

    def clean(self, value: Any) -> str:
        """The text without such signs. Raises ValidationError where nothing is left of one that must be."""
        is_long = isinstance(self.widget, forms.Textarea)
        text = super().clean(value)
        return str(super().clean(plain_text(text) if is_long else plain_line(text)))


class ObjectionForm(forms.Form):
    """What is wrong, what would be right, and who says so; `website` is for programs to fill in."""

    game = forms.ChoiceField(label=_("Which game"), widget=forms.RadioSelect)
    change = forms.ChoiceField(label=_("What would be right"))
    right = SeenField(label=_("What it should say"), max_length=LONGEST_RIGHT, required=False)
    about = SeenField(
        label=_("What is wrong, and how you know"),
        max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("For example: the score sheet has it so; your opponent or the organiser says so."),
    )
    who = SeenField(label=_("Your name"), max_length=LONGEST_NAME)
    email = forms.EmailField(
        label=_("E-mail (if you like)"),
        required=False,
        max_length=254,
        help_text=_(
            "A mail comes at each step. The address is deleted 30 days after the inquiry was closed, "
            "or after the last day to appeal if that is later."
        ),
    )
    website = forms.CharField(label=_("Leave this empty"), required=False, max_length=200)

    def __init__(self, subject: Subject, *args: Any, is_go: bool, has_mail: bool, **words: Any) -> None:
        super().__init__(*args, **words)
        self._games = {one.key: one for one in subject.games}
        self._choose_change(subject, is_go=is_go)
        games: Any = self.fields["game"]
        if len(self._games) > 1:
            another = (ANOTHER_GAME, gettext("another game, or one that is missing"))
            games.choices = [*((key, game_text(one)) for key, one in self._games.items()), another]
        else:
            del self.fields["game"]
        if not has_mail:
            del self.fields["email"]
        self.fields["website"].widget.attrs |= {"tabindex": "-1", "autocomplete": "off"}
        self.fields["who"].widget.attrs["autocomplete"] = "name"

    def _choose_change(self, subject: Subject, *, is_go: bool) -> None:
        """What a correction can change is offered; a game of Go can only be annulled."""
        change: Any = self.fields["change"]
        change.choices = [("", gettext("choose")), *_changes(subject)]
        if subject.kind == Kind.PLAYER:
            change.label = gettext("What is to be corrected")
        if is_go or (subject.kind != Kind.PLAYER and not subject.games):
            del self.fields["change"]
        if is_go or subject.kind != Kind.PLAYER:
            del self.fields["right"]

    def clean_website(self) -> str:
        """What a person does not see stays empty."""
        if self.cleaned_data["website"]:
            raise forms.ValidationError(gettext("Leave this field empty: only programs fill it in."))
        return ""

    def clean(self) -> dict[str, Any]:
        """What would be right is not what the list has."""
        found = super().clean() or {}
        game, scores = self.chosen_game, proposals.RESULTS.get(found.get("change", ""))
        if game is not None and scores is not None and scores[0] == game.line.score:
            has = gettext(
                "The list has this result already. If something else is wrong, choose the last line."
            )
            self.add_error("change", has)
        return found

    @property
    def chosen_game(self) -> GameOfPlayer | None:
        """The game that it is of; None: of none that the page shows."""
        if len(self._games) == 1:
            return next(iter(self._games.values()))
        return self._games.get(self.cleaned_data.get("game", ""))

    @property
    def statement(self) -> ObjectionText:
        """What was written."""
        values = self.cleaned_data
        change = values.get("change", "")
        return ObjectionText(
            values["about"],
            values["who"],
            change,
            values.get("right", ""),
            values.get("email", ""),
            page_language(),
        )


def _changes(subject: Subject) -> list[tuple[str, str]]:
    """What would be right, in words of the page."""
    lang = page_language()
    opponents = {one.opponent.called(lang) for one in subject.games}
    opponent = next(iter(opponents)) if len(opponents) == 1 else gettext("the opponent")
    player = subject.player.called(lang) if subject.player else ""
    texts = change_texts(subject.kind, player, opponent)
    return [*texts.items(), (proposals.OTHER, gettext("something else, as written below"))]


def change_texts(kind: str, player: str, opponent: str) -> dict[str, str]:
    """What may be said to be right of a player's data, or of a game with that opponent."""
    if kind == Kind.PLAYER:
        return {
            proposals.NAME: gettext("the name in Latin letters"),
            proposals.NATIVE_NAME: gettext("the name in Japanese"),
        }
    return {
        proposals.WON: gettext("%(name)s won") % {"name": player},
        proposals.DRAWN: gettext("the game was drawn"),
        proposals.LOST: gettext("%(name)s won") % {"name": opponent},
        proposals.COLOURS: gettext("the colours were the other way round"),
        proposals.STRIKE: gettext("this game was not played, or not by these players"),
    }


def proposed_text(objection: Objection, player: str, opponent: str) -> str:
    """What the writer says would be right; blank for what only the text says."""
    texts = change_texts(objection.subject, player, opponent or objection.opponent_id)
    return " · ".join(filter(None, (texts.get(objection.change, ""), objection.right)))


def game_text(game: GameOfPlayer) -> str:
    """A game in a line, from the player's side."""
    lang = page_language()
    words = {
        "round": game.line.round,
        "player": game.player.called(lang),
        "opponent": game.opponent.called(lang),
    }
    said = (
        gettext("round %(round)s: %(player)s – %(opponent)s")
        if game.line.round
        else gettext("%(player)s – %(opponent)s")
    ) % words
    score = half_points(game.line.score)
    return f"{said} ({score})" if score else said


class AppealForm(forms.Form):
    """Why a decision is appealed."""

    why = SeenField(
        label=_("Why the decision is wrong"), max_length=LONGEST, widget=forms.Textarea(attrs={"rows": 4})
    )
