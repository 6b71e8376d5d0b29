"""A title that a list or a register has, and the one that a member has: which of them stands.

FIDE's list changes only FIDE's titles. A member register, which an officer looks through first, changes
all but those with another source than FIDE, unless it names the source itself.
"""

from banzuke.core.facts import Player
from banzuke.formats.fide.fide_player import FidePlayer

#: Where a title is from that FIDE's list has.
FIDE = "FIDE"
FIDE_TITLES = frozenset(("GM", "IM", "FM", "CM", "WGM", "WIM", "WFM", "WCM"))


def with_fide_title(player: Player, listed: FidePlayer) -> Player:
    """The player with the title of FIDE's list, if it has one and the player's own is FIDE's or none."""
    title = listed.title or listed.w_title
    if title in ("", player.title) or (player.title and not _is_fide(player)):
        return player
    return player._replace(title=title, title_from=FIDE)


def said_titles(player: Player, title: str, title_from: str) -> dict[str, str]:
    """The title and its source as a member has them after a register that says these."""
    is_kept = player.title and player.title_from and not _is_fide(player) and not title_from
    if not title or is_kept:
        return {}
    if title_from or title == player.title:
        return {"title": title} | ({"title_from": title_from} if title_from else {})
    return {"title": title, "title_from": player.title_from if title in FIDE_TITLES else ""}


def _is_fide(player: Player) -> bool:
    """Whether the title is FIDE's: it is said to be, or reads so and nobody said where it is from."""
    return player.title_from.startswith(FIDE) or (not player.title_from and player.title in FIDE_TITLES)
