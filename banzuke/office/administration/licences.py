"""What may be done with what an office publishes: the licences that it can choose from, by their SPDX ids."""

from typing import NamedTuple

from banzuke.office.administration.office_settings import office_settings


class Licence(NamedTuple):
    """A licence: its id at SPDX, what it is called, and the address of its text."""

    spdx: str
    name: str
    address: str


LICENCES = (
    Licence("CC0-1.0", "CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
    Licence("CC-BY-4.0", "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
)


def licence() -> Licence | None:
    """The licence under which the office gives its data; None where it gives none."""
    chosen = office_settings().licence
    return next((each for each in LICENCES if each.spdx == chosen), None)
