"""Japan: the national ratings, NCS 2022 and their successor JCF 2024."""

from banzuke.rulebooks.jcf.books import BOOKS

__all__ = ["BOOKS"]
