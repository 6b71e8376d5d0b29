"""Pandanet: the ranks, handicaps and points of a Go server."""

from banzuke.rulebooks.pandanet.books import BOOKS

__all__ = ["BOOKS"]
