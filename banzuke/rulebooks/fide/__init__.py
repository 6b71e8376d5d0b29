"""FIDE: the rating regulations from 1 March 2024, on which the national rules fall back."""

from __future__ import annotations

from banzuke.rulebooks.fide import fide_2024

BOOKS = (fide_2024.BOOK,)
