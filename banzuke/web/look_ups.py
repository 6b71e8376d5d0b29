"""Fields in which an officer looks something up: a name or an id is typed, and what may be meant is offered.

While one types, a script offers what is found (a datalist). Without it the form comes back with what was
found beside the field, to choose from. `give_pool` tells the fields of a form in which pool to look. Tables
have such fields by the tags of `templatetags/look_ups.py`.
"""

from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from banzuke.database.models import Pool
from banzuke.office.search import look_ups
from banzuke.office.search.look_ups import LookUpKind, LookUpOffer
from banzuke.web import access

#: Fewer letters than that are not looked for while one types.
FEWEST = 2
#: What is said where several may be meant.
CHOOSE = _("Choose which one is meant, or type more of it.")


def address_of(pool: Pool, kind: LookUpKind) -> str:
    """Where a field asks what may be meant."""
    return reverse("look-up", kwargs={"slug": pool.slug, "kind": kind})


def look_up_attributes(address: str) -> dict[str, str]:
    """The attributes of a field that asks that address while one types."""
    return {"hx-get": address, "hx-trigger": "input changed delay:200ms", "hx-target": "next datalist"}


class LookUpInput(forms.TextInput):
    """A field for a name or an id; `offers` are those to choose from."""

    template_name = "web/look_up.html"
    offers: list[LookUpOffer]

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__({"autocomplete": "off", "placeholder": _("name or id")} | (attrs or {}))
        self.offers = []

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        """With what was found."""
        context: dict[str, Any] = super().get_context(name, value, attrs)
        context["widget"]["attrs"]["list"] = f"{context['widget']['attrs'].get('id', name)}-found"
        return context | {"offers": self.offers}

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:  # noqa: ARG002 - Django gives them
        """What was chosen of what was found, else what was typed."""
        sent = data.getlist(name) if hasattr(data, "getlist") else [data.get(name)]
        return next((value for value in reversed(sent) if value), sent[0] if sent else None)


class LookUpField(forms.CharField):
    """The id of a member, an event or a club, typed as such or by the name."""

    widget = LookUpInput

    def __init__(self, kind: LookUpKind, **words: Any) -> None:
        super().__init__(max_length=look_ups.LONGEST, **words)
        self.kind = kind
        self.pool: Pool | None = None
        if kind != LookUpKind.MEMBER:
            self.widget.attrs["placeholder"] = pgettext_lazy("event or club", "name or id")

    def give_pool(self, pool: Pool) -> None:
        """Say in which pool to look."""
        self.pool = pool
        self.widget.attrs |= look_up_attributes(address_of(pool, self.kind))

    def clean(self, value: Any) -> Any:
        """The id; what is nobody's stays as it was typed."""
        typed = super().clean(value)
        if not typed or self.pool is None:
            return typed
        found = look_ups.look_up(self.kind, self.pool, typed)
        if found.offers:
            self.widget.offers = list(found.offers)
            raise forms.ValidationError(CHOOSE)
        return found.id or typed


def give_pool(form: forms.BaseForm, pool: Pool) -> None:
    """Say in which pool the fields of a form look."""
    for field in form.fields.values():
        if isinstance(field, LookUpField):
            field.give_pool(pool)


@access.officer
def options(request: HttpRequest, pool: Pool, kind: str) -> HttpResponse:
    """What is meant by what stands in a field, of whatever name, to choose from while one types."""
    if kind not in set(LookUpKind):
        raise Http404
    typed = request.GET.get(next(iter(request.GET), ""), "").strip()
    found = look_ups.offers(LookUpKind(kind), pool, typed) if len(typed) >= FEWEST else []
    return render(request, "web/look_up_options.html", {"offers": found})
