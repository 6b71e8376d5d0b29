"""Hakodate Chess Club: a club's ratings by the old USCF rules."""

from banzuke.rulebooks.hakodate.books import BOOKS

__all__ = ["BOOKS"]
