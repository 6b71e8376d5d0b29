"""The fast twins of the chess books, by the name that a pool calls them by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.columnar import fide_2024, hakodate, jcf_2024, ncs_2022

if TYPE_CHECKING:
    from collections.abc import Callable

    from banzuke.columnar.batch_columns import Rated


class Twin(NamedTuple):
    """`rate(state, batch, settings, figures, with_lines=...)`, and the figures that the book prints."""

    rate: Callable[..., Rated]
    figures: Any


TWINS = {
    "ncs-2022": Twin(ncs_2022.rate, ncs_2022.FIGURES),
    "jcf-2024": Twin(jcf_2024.rate, jcf_2024.FIGURES),
    "hakodate": Twin(hakodate.rate, hakodate.FIGURES),
    "fide-2024": Twin(fide_2024.rate, fide_2024.FIGURES),
}
