"""What pages tell machines: a block of data, which is no script."""

import json
from typing import Any

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

#: Signs that could end the block, or begin markup in it.
_ESCAPES = {ord(sign): f"\\u{ord(sign):04X}" for sign in "<>&\u2028\u2029"}


@register.simple_tag
def data_block(found: dict[str, Any] | None) -> SafeString | str:
    """A block of JSON-LD; nothing for None. Browsers run no data, so that the content policy has no say."""
    if not found:
        return ""
    text = json.dumps(found, ensure_ascii=False).translate(_ESCAPES)
    return format_html('<script type="application/ld+json">{}</script>', mark_safe(text))  # noqa: S308
