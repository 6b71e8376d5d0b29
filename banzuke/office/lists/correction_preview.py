"""What a correction or a due revision would change, as it is kept with its job and shown."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from banzuke.core.fault import Fault
from banzuke.office.lists.list_differences import Difference, Figure, LineDifference

if TYPE_CHECKING:
    from banzuke.database.models import RatingList
    from banzuke.office.lists.corrections import Preview

#: A list by its name and revision.
Named = tuple[str, int]
#: The fields that hold lists.
_NAMED = ("may_change", "frozen", "lists")


class PreviewRecord(NamedTuple):
    """A preview made from the book as of an entry (`position`) and of a draft (its hash; blank: of none).

    `may_change` and `frozen` are the lists that the inquiry came in time for and the others, `lists` those
    that change; `differences` and `lines` are all that differs in them.
    """

    position: int
    draft: str
    may_change: list[Named]
    frozen: list[Named]
    lists: list[Named]
    differences: list[Difference]
    lines: list[LineDifference]
    faults: list[Fault]


def hash_of(draft: list[Any]) -> str:
    """What a draft is known by."""
    return sha256(json.dumps(draft, sort_keys=True).encode()).hexdigest() if draft else ""


def record_of(preview: Preview, position: int, draft: list[Any]) -> PreviewRecord:
    """What an officer looks at of a preview."""
    named = (_named(preview.may_change), _named(preview.frozen), _named(preview.lists))
    return PreviewRecord(position, hash_of(draft), *named, preview.differences, preview.lines, preview.faults)


def _named(lists: list[RatingList]) -> list[Named]:
    return [(each.name, each.revision) for each in lists]


def to_json(previewed: PreviewRecord) -> dict[str, Any]:
    """As JSON holds it."""
    return dict(previewed._asdict())


def from_json(found: dict[str, Any]) -> PreviewRecord:
    """What was kept."""
    named = {key: [(name, revision) for name, revision in found[key]] for key in _NAMED}
    return PreviewRecord(
        found["position"],
        found["draft"],
        named["may_change"],
        named["frozen"],
        named["lists"],
        differences(found["differences"]),
        [LineDifference._make((*each[:-1], _figures(each[-1]))) for each in found["lines"]],
        [Fault._make((*each[:4], tuple((n, v) for n, v in each[4]))) for each in found["faults"]],
    )


def differences(found: list[list[Any]]) -> list[Difference]:
    """The rows that differ, as they were kept."""
    return [Difference._make((*each[:-1], _figures(each[-1]))) for each in found]


def _figures(found: list[list[Any]]) -> list[Figure]:
    return [Figure(*each) for each in found]
