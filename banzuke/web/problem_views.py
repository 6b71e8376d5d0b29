"""What is wrong, as pages show it: many of one kind in one line, each with the link to where it is mended."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from banzuke.core import facts
from banzuke.core.fault import Fault
from banzuke.core.rating import MEMBER
from banzuke.database.models import Pool
from banzuke.database.two_names import names_here
from banzuke.office.fact_rows import standing_rows
from banzuke.office.inbox.problems import WARNS, Problem, problem_of_fault, problem_text
from banzuke.office.inbox.review_findings import Review
from banzuke.office.lists.rehearsal import Rehearsal
from banzuke.office.mending import MendingPlace, MendingTarget, target_of_fault, target_of_verdict
from banzuke.office.page_words import page_text
from banzuke.office.problem_groups import ProblemGroup, group_problems
from banzuke.office.public_names import names_in_register
from banzuke.web.mending_links import MendingLink, MendingLinks, ShownReport
from banzuke.web.shortcuts import page_language


class ProblemRow(NamedTuple):
    """One problem: what it is of (blank where its sentence says so), the sentence, the link."""

    of: str
    text: str
    link: MendingLink | None


class ProblemView(NamedTuple):
    """Problems of one kind: one sentence, the link where one page mends them all, and the rows behind it."""

    weight: str
    of: str
    text: str
    clause: str
    link: MendingLink | None
    rows: Sequence[ProblemRow] = ()


def problems_of_report(
    pool: Pool, review: Review, report: ShownReport, *, is_officer: bool
) -> list[ProblemView]:
    """The problems of a report, the heaviest first."""
    places = {one.file: number for number, one in enumerate(review.events)}
    ids = {one.event.event_id: number for number, one in enumerate(review.events) if one.event}

    def row(problem: Problem) -> ProblemRow:
        event = dict(problem.fault.facts).get("event", "")
        at = places.get(problem.fault.file, ids.get(event, 0))
        links = MendingLinks(pool, report._replace(event=at), is_officer=is_officer)
        link = links.link(target_of_fault(problem.fault, problem.player_id))
        return ProblemRow("", problem_text(problem, page_language()), link)

    return _views(review.problems, row)


def warnings_of_list(pool: Pool, warnings: Iterable[Fault]) -> list[ProblemView]:
    """The warnings of a list: events and players by their names."""
    found = list(warnings)
    columns = {each.column for each in found}
    rows = standing_rows(pool, facts.Event).filter(event_id__in=columns)
    events, lang = names_here(rows, "event_id"), page_language()
    people = names_in_register(pool, columns - events.keys())
    names = events | {player: person.called(lang) for player, person in people.items()}
    links = MendingLinks(pool)
    links.find_reports(events)

    def row(problem: Problem) -> ProblemRow:
        own = problem.fault
        text = problem_text(problem._replace(fault=own._replace(file="", column="")), lang)
        return ProblemRow(names.get(own.column, ""), text, links.link(target_of_fault(own)))

    return _views([problem_of_fault(each, WARNS) for each in found], row)


class GamesNotCounted(NamedTuple):
    """Games of an event that do not count: how many, the verdict, its clause, the link to what mends it.

    `who` are the ids and names of players whose missing membership keeps them out.
    """

    event: str
    games: int
    verdict: str
    clause: str
    link: MendingLink | None
    who: list[tuple[str, str]]


def games_not_counted(pool: Pool, found: Rehearsal) -> list[GamesNotCounted]:
    """The games of a rehearsed list that do not count."""
    links = MendingLinks(pool)
    ids = [event.event_id for event in found.events]
    links.find_reports(ids)
    events = names_here(standing_rows(pool, facts.Event).filter(event_id__in=ids), "event_id")
    names = names_of_not_members(pool, found)
    return [
        GamesNotCounted(
            events.get(event.event_id, event.name),
            games,
            verdict,
            clause,
            links.link(target_of_verdict(verdict, event.event_id, found.name)),
            [(one, names[one]) for one in event.not_members if verdict == MEMBER],
        )
        for event in found.events
        for verdict, clause, games in event.why_not
    ]


def names_of_not_members(pool: Pool, found: Rehearsal) -> dict[str, str]:
    """The names, by id, of the players whose missing membership keeps games out of a rehearsed list."""
    ids = {player for event in found.events for player in event.not_members}
    lang = page_language()
    return {player: person.called(lang) for player, person in names_in_register(pool, ids).items()}


def faults_of_table(pool: Pool, faults: Iterable[Fault]) -> list[ProblemView]:
    """The faults of a table that was sent to the register; those of its cells are mended in the table."""
    links = MendingLinks(pool)

    def row(problem: Problem) -> ProblemRow:
        return ProblemRow("", problem_text(problem, page_language()), _link(links, problem.fault))

    return _views([problem_of_fault(each) for each in faults], row)


def doubts_of_application(pool: Pool, doubts: Iterable[Fault], *, is_officer: bool) -> list[ProblemRow]:
    """What the rules say against an event applied for; the registration of its club can be mended."""
    links = MendingLinks(pool, is_officer=is_officer)
    lang = page_language()
    found = [(each, target_of_fault(each)) for each in doubts]
    return [
        ProblemRow(
            "",
            page_text(each, lang),
            links.link(target) if target and target.place is MendingPlace.CLUB else None,
        )
        for each, target in found
    ]


def _views(problems: Iterable[Problem], row: Callable[[Problem], ProblemRow]) -> list[ProblemView]:
    groups = group_problems(dict.fromkeys(problems))
    return [_view(group, [row(one) for one in group.problems]) for group in groups]


def _link(links: MendingLinks, found: Fault) -> MendingLink | None:
    target = target_of_fault(found)
    if target is None or target.place is MendingPlace.FILE:
        return None
    return links.link(MendingTarget(MendingPlace.NEW) if target.place is MendingPlace.WHO else target)


def _view(group: ProblemGroup, rows: Sequence[ProblemRow]) -> ProblemView:
    """One row as it is; of several the link that they share."""
    clause = group.problems[0].clause
    if len(rows) == 1:
        return ProblemView(group.weight, rows[0].of, rows[0].text, clause, rows[0].link)
    shared = rows[0].link if len({row.link for row in rows}) == 1 else None
    return ProblemView(group.weight, "", group.text(page_language()), clause, shared, rows)
