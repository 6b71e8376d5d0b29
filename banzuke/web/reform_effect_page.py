"""What would change for a player: sliders for the numbers of a book, and what they do to a rating."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from banzuke.core import facts
from banzuke.core.fault import RefusedError
from banzuke.database.book_reader import rules_of
from banzuke.explanations.rule_pages import unit
from banzuke.lab import is_installed
from banzuke.office import laboratory
from banzuke.office.fact_rows import standing_rows
from banzuke.office.search.look_ups import LookUpKind
from banzuke.web import access
from banzuke.web.laboratory_pages import INSTALL, fault_words
from banzuke.web.look_ups import LookUpField, give_pool
from banzuke.web.shortcuts import page_language, pool_page

if TYPE_CHECKING:
    from collections.abc import Sequence

    from banzuke.core.numbers import Number
    from banzuke.database.models import Pool
    from banzuke.lab.reform_effect import Effect
    from banzuke.ledger.pool_rules import Pool as Rules

#: How far a slider goes where the book sets no bound: twice the number, and so far beyond a small one.
TIMES, BEYOND = 2, 10


@dataclass(frozen=True, slots=True)
class Slider:
    """A number that can be moved: its field, what it is and its unit in the page's language, its value."""

    field: forms.BoundField
    number: Number
    label: str
    unit: str
    value: int

    @property
    def is_moved(self) -> bool:
        """Whether it does not stand at the present number."""
        return self.value != self.number.value


@dataclass(frozen=True, slots=True)
class Share:
    """A changed number's share at a speed: hundredths of a point; the error in points, None: it is exact."""

    slider: Slider
    hundredths: int
    error: float | None


class RangeInput(forms.NumberInput):
    """A slider."""

    input_type = "range"


class EffectForm(forms.Form):
    """A player, and a slider for each single number of the pool's present book."""

    player = LookUpField(LookUpKind.MEMBER, label=_("Player"))

    def __init__(self, *args: Any, pool: Pool, rules: Rules, **words: Any) -> None:
        super().__init__(*args, **words)
        give_pool(self, pool)
        self._numbers = [each for each in laboratory.numbers(rules) if not each.place]
        for number in self._numbers:
            least, most = _ends(number)
            field = forms.IntegerField(
                required=False, min_value=least, max_value=most, initial=number.value, widget=RangeInput
            )
            self.fields[number.name] = field
        if self.is_bound:
            still = {each.name: str(each.value) for each in self._numbers if not self.data.get(each.name)}
            # a slider without a value would stand in the middle
            self.data = {**dict(self.data.items()), **still}

    @property
    def sliders(self) -> list[Slider]:
        """The sliders in the order of the book."""
        lang = page_language()
        words = [(each.parameter.label(lang), unit(each.parameter.unit, lang)) for each in self._numbers]
        return [
            Slider(self[each.name], each, *of, self._value(each))
            for each, of in zip(self._numbers, words, strict=True)
        ]

    def _value(self, number: Number) -> int:
        """Where the slider stands: as it was sent, else at the present number."""
        found = self.cleaned_data.get(number.name) if self.is_bound and self.is_valid() else None
        return number.value if found is None else int(found)


def _ends(number: Number) -> tuple[int, int]:
    least, most = number.bounds
    return least, most if number.is_bounded else max(TIMES * number.value, number.value + BEYOND)


@access.officer
def effect(request: HttpRequest, pool: Pool) -> HttpResponse:
    """The sliders, and for a player what they do. Raises Http404 for a pool of Go."""
    rules = rules_of(pool)
    if rules.is_go:
        raise Http404
    if not is_installed():
        return pool_page(request, "lab/missing.html", pool, command=INSTALL)
    form = EffectForm(request.GET if "player" in request.GET else None, pool=pool, rules=rules)
    context: dict[str, Any] = {"form": form, "book": rules.editions[-1].book}
    if form.is_valid():
        context |= _answer(pool, form)
    return pool_page(request, "lab/effect.html", pool, **context)


def _answer(pool: Pool, form: EffectForm) -> dict[str, Any]:
    """What the page says of the player; where it is refused, the form says why."""
    player, moved = form.cleaned_data["player"], [each for each in form.sliders if each.is_moved]
    try:
        found = laboratory.effects(pool, player, [f"{each.number.name}={each.value}" for each in moved])
    except RefusedError as error:
        for each in error.faults:
            form.add_error(each.column if each.column == "player" else None, fault_words(each))
        return {}
    effects = [
        (each, _shares(each, moved), (each.after or 0) - (each.before or 0))
        for each in found
        if not each.before is each.after is None
    ]
    row = standing_rows(pool, facts.Player).filter(player_id=player).first()
    is_drawn = any(share.error is not None for _effect, shares, _change in effects for share in shares)
    return {"effects": effects, "player": row, "moved": moved, "is_drawn": is_drawn}


def _shares(effect: Effect, moved: Sequence[Slider]) -> list[Share]:
    """The share of each slider that was moved."""
    pairs = zip(moved, effect.shares, strict=False)
    return [Share(slider, round(points * 100), error) for slider, (points, error) in pairs]
