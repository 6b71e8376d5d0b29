"""What changed in the files and addresses that an office gives out, for whoever reads them by a program."""

from datetime import date
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class DataChange(NamedTuple):
    """A change: its day, the files that have another version since then (it may be none), and what it is."""

    day: date
    versions: dict[str, int]
    text: Promise


#: The newest first.
DATA_CHANGES = (
    DataChange(
        date(2026, 11, 26),
        {},
        _(
            "Where the ratings of a list were adjusted, ledger.zip has adjustments.csv, and content.csv and "
            "the proofs have the adjusted ratings. All other files are as before."
        ),
    ),
    DataChange(
        date(2026, 11, 25),
        {"record.json": 1, "ledger.zip": 1},
        _(
            "Each list has a record, its exact bytes, the commitments to its players and the public ledger, "
            "as far back as the office has lists. The office keeps a log of what it publishes."
        ),
    ),
)
