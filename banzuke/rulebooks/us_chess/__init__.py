"""US Chess: the rating system of regular games over the board, one book for all dates and three editions."""

from banzuke.rulebooks.us_chess.books import BOOKS

__all__ = ["BOOKS"]
