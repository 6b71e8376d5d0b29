"""Bars beside figures: how long each is of the longest; a figure always stands beside its bar."""

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from banzuke.office.lists.movement_bands import Band
from banzuke.web.templatetags.banzuke import with_sign

register = template.Library()

#: The length of the longest bar.
FULL = 100
#: The shortest bar of what is not nothing.
LEAST = 1


@register.simple_tag
def bar(value: int, most: int) -> SafeString:
    """A bar from the left; `most` is the longest."""
    return format_html(
        '<svg class="bar" viewBox="0 0 {} 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect width="{}" height="10"/></svg>',
        FULL,
        _length(value, most),
    )


@register.simple_tag
def movement_bar(size: int, most: int) -> SafeString:
    """A bar from the middle: to the right for a rise, to the left for a fall."""
    length = _length(abs(size), most)
    return format_html(
        '<svg class="bar {}" viewBox="{} 0 {} 10" preserveAspectRatio="none" aria-hidden="true">'
        '<rect x="{}" width="{}" height="10"/><path d="M0 0V10"/></svg>',
        "up" if size > 0 else "down",
        -FULL,
        2 * FULL,
        0 if size > 0 else -length,
        length,
    )


def _length(value: int, most: int) -> int:
    return max(FULL * value // most, LEAST) if value and most else 0


@register.filter
def band_name(band: Band) -> str:
    """The movements in a band: `+11 to +20`."""
    if band.low == band.high == 0:
        return gettext("unchanged")
    if band.high is None:
        return gettext("%(size)s and more") % {"size": with_sign(band.low or 0)}
    if band.low is None:
        return gettext("%(size)s and below") % {"size": with_sign(band.high)}
    if band.low == band.high:
        return with_sign(band.low)
    near, far = sorted((band.low, band.high), key=abs)
    return gettext("%(near)s to %(far)s") % {"near": with_sign(near), "far": with_sign(far)}
