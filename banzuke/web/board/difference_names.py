"""The differences of a preview with names: players in the page's language, events by what they are called."""

from banzuke.core import facts
from banzuke.database.models import Pool
from banzuke.database.two_names import names_here
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists.corrections import Preview
from banzuke.office.lists.list_differences import LineDifference
from banzuke.office.public_names import people
from banzuke.web.shortcuts import page_language

#: So many lines are shown.
MOST = 500


def with_id(name: str, id_: str) -> str:
    """A name with its id; the id alone where there is no name."""
    return id_ if name in ("", id_) else f"{name} ({id_})"


def name_preview(pool: Pool, found: Preview | None) -> Preview | None:
    """What a correction would do, with names in the place of ids."""
    if found is None:
        return None
    lines = found.lines[:MOST]
    ids = {each.player for each in found.differences} | {
        i for one in lines for i in (one.player, one.opponent)
    }
    names = {id_: person.called(page_language()) for id_, person in people(pool, ids).items()}
    rows = standing_rows(pool, facts.Event).filter(event_id__in={one.event_id for one in lines})
    events = names_here(rows, "event_id")
    return found._replace(
        differences=[
            one if names[one.player] == one.player else one._replace(name=names[one.player])
            for one in found.differences
        ],
        lines=[_name_line(one, names, events) for one in lines] + found.lines[MOST:],
    )


def _name_line(one: LineDifference, names: dict[str, str], events: dict[str, str]) -> LineDifference:
    return one._replace(
        event_id=events.get(one.event_id, one.event_id),
        player=with_id(names[one.player], one.player),
        opponent=with_id(names[one.opponent], one.opponent),
    )
