"""The calculators' forms: what is asked, with ratings and points read as people write them."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.ledger.cells import KOMI, CellError

#: The highest rating that a calculator takes.
HIGHEST = 9999
#: The most games of one question.
MOST_GAMES = 200
HALF_POINTS = {"1": 2, "0.5": 1, "0": 0}
SCORES = [("1", _("1 (a win)")), ("0.5", _("½ (a draw)")), ("0", _("0 (a loss)"))]
RESULT_WORDS = {"1": 2, "+": 2, "=": 1, "½": 1, "0.5": 1, "5": 1, "0": 0, "-": 0}
UNRATED = "UR"


def rating_of(word: str) -> int | None:
    """A rating as it is written, None for UR. Raises ValidationError."""
    word = word.strip()
    if word.upper() == UNRATED:
        return None
    if not (word.isascii() and word.isdigit() and int(word[:9]) <= HIGHEST):
        raise forms.ValidationError(
            _("“%(word)s” is not a rating: enter a whole number up to 9999, or UR."),
            params={"word": word[:40]},
        )
    return int(word)


class RatingField(forms.CharField):
    """A rating, or UR (None)."""

    def clean(self, value: Any) -> int | None:
        """The rating as a number."""
        return rating_of(super().clean(value))


class RatingsField(forms.CharField):
    """Ratings with commas or spaces between them; UR for an unrated player."""

    def clean(self, value: Any) -> list[int | None]:
        """The ratings as numbers."""
        words = super().clean(value).replace("、", " ").replace(",", " ").split()
        if not 0 < len(words) <= MOST_GAMES:
            raise forms.ValidationError(_("Write one to 200 ratings, with spaces between them."))
        return [rating_of(word) for word in words]


class GamesField(forms.CharField):
    """A line a game: the opponent's rating, and the result as 1, = or 0."""

    widget = forms.Textarea

    def clean(self, value: Any) -> list[tuple[int | None, int]]:
        """The games as (opponent's rating, half points)."""
        lines = [line.split() for line in super().clean(value).splitlines() if line.strip()]
        if len(lines) > MOST_GAMES:
            raise forms.ValidationError(_("There are more than 200 games."))
        games = []
        for number, words in enumerate(lines, 1):
            if len(words) != len(("rating", "result")) or words[1] not in RESULT_WORDS:
                raise forms.ValidationError(
                    _("Line %(number)s: write the opponent's rating and 1, = or 0, as in “1650 1”."),
                    params={"number": number},
                )
            games.append((rating_of(words[0]), RESULT_WORDS[words[1]]))
        return games


class HalvesField(forms.CharField):
    """Points or komi in halves, as 2.5; given as half points."""

    def clean(self, value: Any) -> int | None:
        """The number of halves; None for a blank that may be."""
        word = super().clean(value)
        if not word:
            return None
        try:
            halves: int = KOMI.read(word.strip())
        except CellError:
            raise forms.ValidationError(_("Enter a number in steps of 0.5, such as 2.5.")) from None
        return halves


class BookForm(forms.Form):
    """A question to one of the pool's rule books."""

    book = forms.ChoiceField(label=_("Rule book"))

    def __init__(self, data: Any, books: list[tuple[str, str]]) -> None:
        super().__init__(data, initial={"book": books[-1][0]})
        field = self.fields["book"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = books
        if len(books) == 1:
            field.widget = forms.HiddenInput()


#: The fields of what a book may ask beside the ratings.
ASKED_FIELDS = {"k": "k", "games": "own_games"}


class RatedPlayerForm(BookForm):
    """A question about a rated player: with K or the number of games, where one of the books asks for it."""

    own = forms.IntegerField(label=_("Own rating"), min_value=0, max_value=HIGHEST)
    k = forms.IntegerField(label=_("K (see the player's page)"), min_value=1, max_value=100, initial=20)
    own_games = forms.IntegerField(
        label=_("Games that the own rating rests on"), min_value=0, max_value=999_999
    )

    def __init__(self, data: Any, books: list[tuple[str, str]]) -> None:
        super().__init__(data, books)
        asked = {_asked_by(name) for name, _title in books}
        for kind, field in ASKED_FIELDS.items():
            if kind not in asked:
                del self.fields[field]
            else:
                self.fields[field].required = asked == {kind}

    def clean(self) -> dict[str, Any]:
        """What the chosen book asks beside the ratings is there; `given` is the answer."""
        data: dict[str, Any] = super().clean() or {}
        data["asks"] = _asked_by(data["book"]) if "book" in data else "nothing"
        field = ASKED_FIELDS.get(data["asks"], "")
        data["given"] = data.get(field) or 0
        if field in data and data[field] is None:
            self.add_error(field, self.fields[field].error_messages["required"])
        return data


def _asked_by(name: str) -> str:
    """What the book of that name asks beside the ratings."""
    book = BOOKS[name]
    return book.calculator.asks if isinstance(book, ChessBook) else "nothing"


class ChangeForm(RatedPlayerForm):
    """One game; there is a question once the opponent is named."""

    asked = ("opponent",)

    opponent = RatingField(label=_("Opponent's rating (UR: unrated)"))
    score = forms.ChoiceField(label=_("Result"), choices=SCORES)
    field_order = ("book", "own", "opponent", "score", "k", "own_games")


class EventForm(RatedPlayerForm):
    """An event to come; there is a question once it has games."""

    asked = ("games",)

    games = GamesField(
        label=_(
            "One game per line: opponent's rating, then 1 (win), = (draw) or 0 (loss), for example 1650 1"
        )
    )


class FirstForm(BookForm):
    """A first rating; there is a question once it has games or points."""

    asked = ("opponents", "points")

    opponents = RatingsField(label=_("Opponents' ratings (UR: unrated)"))
    points = HalvesField(label=_("Points"))

    def clean(self) -> dict[str, Any]:
        """The points can be had from so many games."""
        data: dict[str, Any] = super().clean() or {}
        if "points" in data and "opponents" in data and not 0 <= data["points"] <= 2 * len(data["opponents"]):
            self.add_error("points", _("These games cannot give so many points."))
        return data
