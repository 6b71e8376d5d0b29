"""The exact bytes of published lists, as they were stored with them."""

import zlib

from banzuke.database.models import ListContent, RatingList
from banzuke.engine.list_content import GZIP


def content_of(published: RatingList) -> bytes | None:
    """The bytes whose SHA-256 is the list's; None while the worker has not made those of a list of before."""
    packed = packed_content_of(published)
    return None if packed is None else unpacked(packed)


def unpacked(packed: bytes) -> bytes:
    """The bytes that gzip packed so."""
    return zlib.decompress(packed, wbits=GZIP)


def packed_content_of(published: RatingList) -> bytes | None:
    """The same as gzip packs it."""
    found = ListContent.objects.filter(list=published).values_list("packed", flat=True).first()
    return None if found is None else bytes(found)
