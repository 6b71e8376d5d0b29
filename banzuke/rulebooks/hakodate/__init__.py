"""Hakodate Chess Club: a club's ratings by the old USCF rules."""

from __future__ import annotations

from banzuke.rulebooks.hakodate import hakodate

BOOKS = (hakodate.BOOK,)
