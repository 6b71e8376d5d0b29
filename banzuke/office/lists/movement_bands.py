"""How many players moved how far, in bands that show where most of them are."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

#: The widths of bands to choose from, and how many there are at most on each side of zero.
WIDTHS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
MOST = 6
#: Of a hundred players who moved so many lie in bands of one width; the last band takes the others too.
SHOWN = 95


class Band(NamedTuple):
    """Movements from `low` to `high`, which are both counted; None: and beyond. 0 to 0: nobody moved."""

    low: int | None
    high: int | None
    players: int


def movement_bands(sizes: Mapping[int, int]) -> list[Band]:
    """The bands from the highest rises to the deepest falls; `sizes` has the players by their movement."""
    width = _width(sizes)
    found = Counter({0: 0})
    for size, players in sizes.items():
        found[_band_of(size, width)] += players
    top, bottom = max(found), min(found)
    return [_band(at, width, found[at], sizes) for at in range(top, bottom - 1, -1)]


def _width(sizes: Mapping[int, int]) -> int:
    """The narrowest width at which most of those who moved fit."""
    moved = sorted(Counter({abs(size): 0 for size in sizes if size}).keys())
    total = sum(players for size, players in sizes.items() if size)
    seen, limit = 0, 0
    for size in moved:
        seen += sizes.get(size, 0) + sizes.get(-size, 0)
        limit = size
        if seen * 100 >= total * SHOWN:
            break
    return next((width for width in WIDTHS if -(-limit // width) <= MOST), WIDTHS[-1])


def _band_of(size: int, width: int) -> int:
    """The band's number, from 0 for nobody moved; rises are above it."""
    number = min(-(-abs(size) // width), MOST)
    return number if size > 0 else -number


def _band(at: int, width: int, players: int, sizes: Mapping[int, int]) -> Band:
    if at == 0:
        return Band(0, 0, players)
    near, far = (abs(at) - 1) * width + 1, abs(at) * width
    is_open = any(abs(size) > far and (size > 0) == (at > 0) for size in sizes) and abs(at) == MOST
    if at > 0:
        return Band(near, None if is_open else far, players)
    return Band(None if is_open else -far, -near, players)
