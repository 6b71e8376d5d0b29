"""What the fields of all that is held are called: as the ledger's columns are, or as their forms ask."""

from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext_lazy as _

from banzuke.web import form_fields
from banzuke.web.register.member_forms import SEXES, CorrectMembershipForm, MemberForm, MembershipForm
from banzuke.web.shortcuts import page_language
from banzuke.words import act_text

_ASKED = {**MemberForm.base_fields, **CorrectMembershipForm.base_fields}
LABELS: dict[str, Any] = (
    form_fields.LABELS
    | {name: field.label for name, field in _ASKED.items()}
    | {
        "entered_at": _("Entered"),
        "at": _("When"),
        "by": _("By whom"),
        "who": _("By whom"),
        "act": _("Action"),
        "added": _("As of"),
        "struck": _("Struck as of"),
        "struck_at": _("Struck"),
        "struck_by": _("Struck by"),
        "struck_why": _("Why it was struck"),
        "recorded_on": _("Recorded"),
        "recorded_by": _("Recorded by"),
        "confirmed_by": _("Earlier day confirmed by"),
        "confirmed_at": _("Earlier day confirmed"),
        "rating": _("Rating"),
        "games": _("Games"),
        "points": _("Half points"),
        "speed": _("Kind of rating"),
        "of_list": _("List"),
    }
)
#: What the parts of everything held are called.
PARTS = {
    "players": _("Register"),
    "memberships": _("Memberships"),
    "games": _("Games"),
    "byes": _("Byes"),
    "standings": _("Starting ratings"),
    "contact": _("Contact"),
    "merges": _("Merged entries"),
    "seeds": _("Seeded players"),
    "lists": _("Published ratings"),
    "lines": _("Published changes, game by game"),
    "workings": _("Published workings"),
    "reports": _("Reports"),
    "inquiries": _("Inquiries"),
    "objections": _("Objections"),
    "journal": _("Journal"),
}
_WORDS = dict(MembershipForm.KINDS) | SEXES


def labelled_fields(fields: Iterable[tuple[str, Any]]) -> list[tuple[Any, Any]]:
    """Fields that say something, with their labels; the words of kinds and sexes as pages have them."""
    return [
        (LABELS.get(name, name), _in_words(name, value))
        for name, value in fields
        if value not in (None, "", False)
    ]


def _in_words(name: str, value: Any) -> Any:
    if name == "act":
        return act_text(value, page_language())
    if value is True:
        return _("yes")
    return _WORDS.get(value, value) if name in ("kind", "sex") else value
