"""Japan: the national ratings, NCS 2022 and their successor JCF 2024."""

from __future__ import annotations

from banzuke.rulebooks.jcf import jcf_2024, ncs_2022

BOOKS = (ncs_2022.BOOK, jcf_2024.BOOK)
