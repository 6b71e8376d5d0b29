"""What a report says of its event elsewhere than in its fields: days of rounds, minutes in words."""

from banzuke.core.fault import fault
from banzuke.formats.notation import parse_time_words
from banzuke.formats.report import Report


def with_details(report: Report, file: str) -> Report:
    """The report of a whole event with these details; one without a game is a fault."""
    if not report.games and not report.faults:
        return report._replace(faults=(fault(file, 0, "", "incoming-no-games"),))
    return _with_minutes(_with_days(report))


def _with_days(report: Report) -> Report:
    """The first and the last day are those of the first and the last round, where the event has none."""
    event, days = report.event, {game.round: game.played for game in report.games if game.played}
    played = [game.played for game in report.games if game.played]
    last = max([event.rounds, *(game.round for game in report.games)], default=0)
    starts = event.starts or (min(played) if 1 in days else None)
    ends = event.ends or (max(played) if last in days else None)
    if starts and ends and ends < starts:
        return report
    return report._replace(event=event._replace(starts=starts, ends=ends))


def _with_minutes(report: Report) -> Report:
    """The minutes are those that the time control says in words, where the event has none in numbers."""
    event = report.event
    found = parse_time_words(event.time_control) if event.base_minutes is None else None
    if found is None:
        return report
    return report._replace(event=event._replace(base_minutes=found[0], increment_seconds=found[1]))
