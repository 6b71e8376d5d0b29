"""Ids in addresses: a ledger's ids may hold any character but controls, an address may not.

`<id:player_id>` in a URL pattern takes such an id as one part of the path. What would be read as something
else there (`/`, an id `.` or `..`) and `~` itself are written `~` with two digits; Django quotes the rest.
"""

import re

from django.urls import register_converter

_WRITTEN = re.compile(r"~([0-9A-F]{2})")


class IdConverter:
    """An id as one part of an address."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        """The id that an address names. Raises ValueError for a spelling that `to_url` doesn't write."""
        found = _WRITTEN.sub(lambda written: chr(int(written[1], 16)), value)
        if self.to_url(found) != value:
            raise ValueError(value)
        return found

    def to_url(self, value: str) -> str:
        """The id's part of an address."""
        if value in {".", ".."}:
            return value.replace(".", "~2E")
        return value.replace("~", "~7E").replace("/", "~2F")


register_converter(IdConverter, "id")
