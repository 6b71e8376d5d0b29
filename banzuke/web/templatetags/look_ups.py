"""Fields of tables in which a member is looked up; forms have theirs (`banzuke.web.look_ups`)."""

from collections.abc import Mapping

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

from banzuke.database.models import Pool
from banzuke.office.search import look_ups
from banzuke.web.look_ups import LookUpInput, address_of, look_up_attributes

register = template.Library()


@register.simple_tag
def member_look_up(pool: Pool, name: str, label: str, typed: Mapping[str, str]) -> SafeString:
    """A field for any member; if something was `typed` in it (by fields' names), with what that may mean."""
    kind, said = look_ups.LookUpKind.MEMBER, typed.get(name, "")
    field = _field(name, label, address_of(pool, kind), size=16)
    field.offers = look_ups.offers(kind, pool, said)
    return field.render(name, said)


@register.simple_tag
def entrant_look_up(pool: Pool, number: int, label: str, typed: str) -> SafeString:
    """A field for a player of a report that is filled in: a member, or the name of somebody new."""
    name = f"player-{number}"
    address = reverse("inbox-members", kwargs={"slug": pool.slug})
    return _field(name, label, address, size=34, **{"data-player": True, "placeholder": ""}).render(
        name, typed
    )


def _field(name: str, label: str, address: str, **attributes: object) -> LookUpInput:
    about = {"id": name, "aria-label": label, "maxlength": look_ups.LONGEST}
    return LookUpInput(about | look_up_attributes(address) | attributes)
