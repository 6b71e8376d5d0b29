"""What a report still needs, in a few figures: for lists of reports, where nobody reads whole sentences."""

from typing import NamedTuple

from banzuke.office.inbox.problems import BLOCKS, EXCLUDES, FIELD, MISSING, asked_fields
from banzuke.office.inbox.review_findings import Review

_UNDECIDED = "inbox-undecided"


class ReportSummary(NamedTuple):
    """The players to be decided on, the fields that are missing, and how many other points there are.

    `to_settle` points block the report, for `left_out` ones games are not rated, `to_check` ones are to see.
    """

    undecided: int
    fields: tuple[str, ...]
    to_settle: int
    left_out: int
    to_check: int
    is_ready: bool

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing at all to look at."""
        return self.is_ready and not (self.fields or self.left_out or self.to_check)


def summary(review: Review) -> ReportSummary:
    """What a report needs by its review."""
    fields = dict.fromkeys(name for problem in review.problems for name in asked_fields(problem))
    go = review.go.unknown if review.go else ()
    others = [one.weight for one in review.problems if one.fault.code not in (_UNDECIDED, FIELD, MISSING)]
    settle, out, undecided = others.count(BLOCKS), others.count(EXCLUDES), len(review.undecided) + len(go)
    check = len(others) - settle - out
    return ReportSummary(undecided, tuple(fields), settle, out, check, review.is_ready)
