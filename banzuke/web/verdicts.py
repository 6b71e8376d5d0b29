"""What the rules say of games, and why those do not count that do not, in a few words beside the clause."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from banzuke.core import rating

VERDICTS = {
    rating.RATED: _("rated"),
    rating.FIRST: _("counts for a first rating"),
    rating.RULING: _("left out by a ruling"),
    rating.SPEED: _("no list for the time control"),
    rating.LATE: _("reported too late"),
    rating.FEE: _("fee not paid in time"),
    rating.MEMBER: _("a side is not a member"),
    rating.FORFEIT: _("not played"),
    rating.AGAINST_UNRATED: _("a side is unrated"),
    "bonus": _("a win over an opponent without certification"),
    "fault": _("a fault in the first minute"),
    "not:board": _("not on a full board"),
    "not:moves": _("too few moves"),
    "not:room": _("not in the rated room"),
    "not:pair": _("a pair game"),
    "not:robot": _("against a robot"),
    "not:professional": _("against a professional"),
    "not:result": _("without a result"),
    "not:beginner": _("in the beginners' class"),
    "not:provisional": _("against a provisional rank"),
    "not:difference": _("too great a difference"),
}
