"""What differs between two makings of lists, as pages and files say it."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from banzuke.formats.harmless import harmless

if TYPE_CHECKING:
    from banzuke.desk.correcting import Preview

HEADINGS = ("list", "speed", "player_id", "name", "figure", "before", "after")


def differences_file(found: Preview) -> bytes:
    """Every figure of every player that differs, as CSV for a spreadsheet."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    writer.writerow(HEADINGS)
    for each in found.differences:
        for figure in each.figures:
            cells = (each.list, each.speed, each.player, each.name, figure.name, figure.before, figure.after)
            writer.writerow(["" if cell is None else harmless(str(cell)) for cell in cells])
    return ("\ufeff" + stream.getvalue()).encode()
