"""The Irish Chess Union: ratings by event, iterated among the unrated, with a bonus."""

from banzuke.rulebooks.icu.books import BOOKS

__all__ = ["BOOKS"]
