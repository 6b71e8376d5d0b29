"""What is wrong with a report, each with its clause, by the rule books and the ledger's checks.

A problem blocks the report (nothing can be entered before it is settled), excludes games from the lists, or
is only worth a look.
"""

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from typing import NamedTuple

from banzuke.core.facts import Event, Game, Player
from banzuke.core.fault import Fault, fault
from banzuke.core.rating import FEE, FORFEIT, LATE, RULING, SPEED, EventLines
from banzuke.core.rulebook import ChessBook
from banzuke.engine.history import RatedList, history, list_names
from banzuke.engine.rule_warnings import warnings
from banzuke.explanations.chess_rating import not_members
from banzuke.formats.report_form.form_layout import EVENT_FIELDS, Label
from banzuke.ledger.checks import check_chess
from banzuke.ledger.folder import ChessLedger, records_of
from banzuke.ledger.records import Rows, by_event
from banzuke.ledger.schema import CHESS, Table
from banzuke.office.page_words import in_office_words, page_line, page_text
from banzuke.words import Language, comma_list, day_text, said_of

#: How much a problem weighs.
BLOCKS, EXCLUDES, WARNS = "blocks", "excludes", "warns"
#: A field that is missing, and several that the rules miss.
FIELD, MISSING = "inbox-field", "warn-missing"
#: Warnings of the register that say nothing of a report unless they are of somebody new.
OF_MEMBERS = frozenset(("warn-name", "warn-peak", "warn-never-stands"))
#: A round and the two who met in it.
_Pair = tuple[int, frozenset[str]]
#: The day of a game that does not count for want of membership, and the clause.
_Missed = tuple[date, str]
#: Why games stay out, by what the rule book says of them; these hang on no rating.
_VERDICTS = {
    RULING: (WARNS, "inbox-ruled-out"),
    SPEED: (EXCLUDES, "inbox-no-list"),
    LATE: (EXCLUDES, "inbox-late"),
    FORFEIT: (WARNS, "inbox-forfeits"),
}


_LABELS = {field.name: field.label for field in EVENT_FIELDS} | {
    "name_native": Label("大会名（日本語）", "Name in Japanese"),
    "speed": Label("種目", "Standard, rapid or blitz"),
    "reported": Label("報告日", "Day of the report"),
    "event_id": Label("大会ID", "Event ID"),
    "applied": Label("申請日", "Application received on"),
    "notified": Label("FIDEへの通知日", "FIDE informed on"),
    "paid": Label("支払日", "Fee paid on"),
}


class Problem(NamedTuple):
    """Something wrong: how much it weighs, what it is, and the player whom it is of (blank: none)."""

    weight: str
    fault: Fault
    player_id: str = ""

    @property
    def clause(self) -> str:
        """The clause of the rules; blank where it is the office's own matter."""
        return dict(self.fault.facts).get("clause", "")


def problem_text(problem: Problem, lang: Language) -> str:
    """A problem in a sentence, with its place in the file where it has one, and fields by their labels."""
    found = problem.fault
    if not found.file:
        found = found._replace(facts=tuple((name, day_text(fact, lang)) for name, fact in found.facts))
    if found.code == "inbox-field" or (found.column and not found.file):
        return said_of(field_label(found.column, lang), page_text(found, lang), lang)
    if found.code == "warn-missing":
        names = dict(found.facts)["fields"].split(", ")
        shown = comma_list((field_label(name, lang) for name in names), lang)
        return page_text(found._replace(facts=(*found.facts, ("fields", shown))), lang)
    return page_line(found, lang)


def field_label(field: str, lang: Language) -> str:
    """What a field of an event is called: as on the report form, else by its name in the ledger."""
    label = _LABELS.get(field)
    return getattr(label, lang) if label else field


def asked_fields(problem: Problem) -> list[str]:
    """The fields of an event that a problem asks for."""
    found = problem.fault
    if found.code == MISSING:
        return dict(found.facts)["fields"].split(", ")
    return [found.column] if found.code == FIELD else []


def problem_of_fault(found: Fault, weight: str = BLOCKS) -> Problem:
    """A fault of a file or of an entry as a problem, in the words of the office's pages."""
    return Problem(weight, in_office_words(found))


def build_trial_ledger(
    ledger: ChessLedger, events: list[Event], games: list[Game], added: Iterable[Player]
) -> ChessLedger:
    """A small ledger of events alone with their games and players, as far as the register knows them.

    Who is not decided on yet is in it under an id that no member has.
    """
    of_event = by_event(games)
    wanted = {side for game in games for side in (game.white, game.black)}
    players = [player for player in (*ledger.players, *added) if player.player_id in wanted]
    known = {player.player_id for player in players}
    players += [Player(player_id, player_id) for player_id in sorted(wanted - known)]
    ids = {"", *(event.event_id for event in events)}
    memberships = [row for row in ledger.memberships if row.player_id in wanted and row.event_id in ids]
    return ChessLedger(ledger.pool, players, ledger.clubs, memberships, events, of_event, [])


def find_problems(small: ChessLedger, names: Mapping[str, str], new: Iterable[str]) -> list[Problem]:
    """All problems of events and their games by themselves; `names` says what players are called.

    `new` are the ids of those who are no members yet.
    """
    faults: list[Fault] = []
    tables = {table.name: _rows(small, table) for table in CHESS}
    check_chess(small.pool, tables, faults)
    found = [problem_of_fault(one._replace(file="", line=0, column="")) for one in faults]
    found += _warnings(small, set(names), set(new))
    if not faults:
        paid = replace(small, events=[replace(one, paid=one.paid or one.reported) for one in small.events])
        for rated in history(paid, list_names(paid, None)):
            for lines in rated.outcome.events:
                found += [*_line_problems(lines), *_membership_problems(rated, lines, names)]
        found += _fee_problems(small)
    return found


def _rows(small: ChessLedger, table: Table) -> Rows:
    records = records_of(small, table)
    return Rows(f"{table.name}.csv", records, array("I", range(1, len(records) + 1)))


def _warnings(small: ChessLedger, known: set[str], new: set[str]) -> Iterator[Problem]:
    """The warnings of `banzuke check` that are of the events, their players, and who is new among them.

    An event that no edition rates (its report is too old) is warned of nothing else.
    """
    schedule = small.pool.schedule
    rated = [event for event in small.events if schedule.edition_of(schedule.window_of(event))]
    small = replace(small, events=rated)
    for one in warnings(small):
        is_of_report = one.file != "players.csv" or one.column in known
        if is_of_report and (one.code not in OF_MEMBERS or one.column in new):
            player_id = one.column if one.file == "players.csv" else ""
            yield problem_of_fault(one._replace(file="", column=""), WARNS)._replace(player_id=player_id)


def _line_problems(lines: EventLines) -> Iterator[Problem]:
    """Why games of an event stay out of the lists, each reason once."""
    games: dict[tuple[str, str], set[_Pair]] = defaultdict(set)
    for line in lines.lines:
        if line.verdict in _VERDICTS:
            pair = frozenset((line.player, line.opponent))
            games[line.verdict, line.clause].add((line.round, pair))
    for (verdict, clause), pairs in games.items():
        weight, code = _VERDICTS[verdict]
        yield Problem(weight, _event_fault(lines.event, code, games=len(pairs), clause=clause))


def _event_fault(event: Event, code: str, **facts: object) -> Fault:
    """A fault of an event, with the facts that sentences of events may use."""
    about = {"event": event.event_id, "reported": event.reported, "ends": event.ends} | facts
    return fault("", 0, "", code, **about)


def _membership_problems(rated: RatedList, lines: EventLines, names: Mapping[str, str]) -> Iterator[Problem]:
    """Who is no member on the day of play, with how many of their games stay out."""
    book = rated.edition.book
    entry = next(entry for entry in rated.batch.entries if entry.event is lines.event)
    days = {(game.round, game.white): game.played or lines.event.starts for game in entry.games}
    missed: dict[str, list[_Missed]] = defaultdict(list)
    for line in lines.lines:
        day = days.get((line.round, line.player))
        if day is not None:
            for player in not_members(book, rated.batch.register, lines.event, line, day):
                missed[player].append((day, line.clause))
    for player, games in missed.items():
        if player in names:
            day, clause = min(games)
            facts = {"name": names[player], "id": player, "day": day, "games": len(games), "clause": clause}
            yield Problem(EXCLUDES, _event_fault(lines.event, "inbox-member", **facts), player)


def _fee_problems(small: ChessLedger) -> Iterator[Problem]:
    """Events whose fee nobody has noted as paid, where the edition asks one."""
    schedule = small.pool.schedule
    for event in small.events:
        window, edition = schedule.window_of(event), schedule.edition_of(schedule.window_of(event))
        book = None if edition is None else edition.book
        if edition is None or not isinstance(book, ChessBook) or book.fees is None:
            continue
        if book.fees.is_unpaid(event, window.published, edition.settings):
            facts = {"day": window.published, "clause": book.verdicts[FEE]}
            yield Problem(WARNS, _event_fault(event, "inbox-fee", **facts))
