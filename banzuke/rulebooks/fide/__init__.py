"""FIDE: the rating regulations from 1 March 2024, on which the national rules fall back."""

from banzuke.rulebooks.fide.books import BOOKS

__all__ = ["BOOKS"]
