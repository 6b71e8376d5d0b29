"""What becomes of each column when a person is erased. A test sees that no column of a text is forgotten."""

from collections.abc import Mapping
from typing import Any

#: Cells of the rows that are of the person, and what stands in them then; `Player` is `stand_in_rows`'.
BLANKED: Mapping[str, Mapping[str, Any]] = {
    "Contact": {"kana": "", "address": "", "email": ""},
    "ReportDecision": {"name": ""},
    "Objection": {"email": "", "salt": "", "right": ""},
}
#: Columns of any row of the pool in which somebody may have written who the person is.
FREE_TEXTS: Mapping[str, tuple[str, ...]] = {
    "Entry": ("why",),
    "Event": ("responsible", "reporter"),
    "RatingList": ("why",),
    "ReportSaid": ("fields",),
    "ReportDecision": ("name", "file"),
    "ReportStep": ("why",),
    "ReportFile": ("name",),
    "Sanction": ("responsible",),
    "SanctionStep": ("why",),
    "Inquiry": ("asked_by", "about", "draft"),
    "InquiryStep": ("why",),
    "ReformStep": ("file", "text", "link", "facts"),
    "Objection": ("right", "email"),
    "ClubQuestion": ("question", "answer"),
    "Payment": ("note",),
    "JournalEntry": ("what",),
    "Job": ("wanted", "result"),
    "PlannedPublication": ("refused",),
    "QueuedGame": ("game", "fault"),
    "RegisterFile": ("name",),
}
#: The columns of a Go pool with players' ids, for which a number may be put.
GO_IDS: Mapping[str, tuple[str, ...]] = {
    "GoPlayer": ("player_id",),
    "GoGame": ("black", "white"),
    "GoRobot": ("player_id",),
    "Declaration": ("player_id",),
    "GoOpening": ("player_id",),
    "Contact": ("player_id",),
    "LiveStanding": ("player_id",),
    "LiveGame": ("black", "white"),
    "NextStanding": ("player_id",),
    "NextGame": ("black", "white"),
    "ReportDecision": ("player_id",),
    "Objection": ("player_id",),
}
#: How the rows of a table are those of a pool, where it is not by a column `pool`.
POOL_OF: Mapping[str, str] = {
    "ListRow": "list__pool",
    "ReportSaid": "report__pool",
    "ReportDecision": "report__pool",
    "ReportStep": "report__pool",
    "ReportFile": "report__pool",
    "SanctionStep": "sanction__pool",
    "InquiryStep": "inquiry__pool",
    "ReformStep": "reform__pool",
    "Objection": "inquiry__pool",
    "ClubQuestion": "inquiry__pool",
    "Payment": "invoice__pool",
}
