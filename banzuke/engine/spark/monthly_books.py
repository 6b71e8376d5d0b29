"""The books that many machines can rate by: those whose lists are months."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from banzuke.columnar import jcf_2024, ncs_2022

if TYPE_CHECKING:
    from collections.abc import Callable

    from banzuke.rulebooks.jcf.columnar.monthly_twin import Edition

BY_NAME: dict[str, Callable[[Any], Edition]] = {"ncs-2022": ncs_2022.edition, "jcf-2024": jcf_2024.edition}


def edition_of(book: str, settings: Any) -> Edition:
    """The fast twin of the book of that name, with those settings."""
    return BY_NAME[book](settings)
