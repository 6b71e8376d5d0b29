"""How a chess rating came about, in sentences, from the very calculation that made it."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import NamedTuple, cast

from banzuke.core.batch import Register
from banzuke.core.chess_sentences import reason_of_k
from banzuke.core.decimals import with_decimals
from banzuke.core.facts import Event
from banzuke.core.rating import MEMBER, UNRATED, Calculation, Coefficient, FirstGame, Line
from banzuke.core.rulebook import ChessBook, RuleBook
from banzuke.core.sentences import AdjustmentStep, Figures, Part, Side, Statement
from banzuke.engine.adjustments import AdjustedRating
from banzuke.engine.history import RatedList, UnknownListError, history, list_names
from banzuke.explanations.adjustment_sentences import adjustment_statements
from banzuke.explanations.explanation import Explanation, Section, SentenceWriter, find_player
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import EditionInForce, chess_book
from banzuke.words import Language, list_title


class RatingAccount(NamedTuple):
    """What is explained of a player's list; `names` and `events` are (Latin, native) by id."""

    player: str
    list_name: str
    edition: EditionInForce
    names: Mapping[str, tuple[str, str]]
    events: Mapping[str, tuple[str, str]]
    parts: list[Part]


def explain(ledger: ChessLedger, wanted: str, name: str | None, lang: Language) -> Explanation:
    """How a player's ratings in a list came about; `name` None: the player's last list with games.

    Raises UnknownPlayerError and UnknownListError.
    """
    player = find_player(wanted, {p.player_id: (p.name, p.name_native) for p in ledger.players})
    rated, last = _wanted_list(ledger, player, name)
    return explain_account(account(ledger, rated, player, last), lang)


def explain_account(account: RatingAccount, lang: Language) -> Explanation:
    """A player's account in sentences."""
    book = cast("ChessBook", account.edition.book)
    players = _names_in(lang, account.names)
    writer = SentenceWriter(book, lang, players, _names_in(lang, account.events))
    sections = [
        Section(_heading(account, part, writer), writer.sentences(_statements(account, part)))
        for part in account.parts
        if part.sides or part.figures.after.value is not None
    ]
    if not sections:
        part = account.parts[0]._replace(last="")
        statements = [*book.sentences.before(part), *book.sentences.result(part)]
        heading = f"{players[account.player]} ({account.player})"
        sections = [Section(heading, writer.sentences(statements))]
    return Explanation(account.player, account.list_name, book.name, sections)


def _names_in(lang: Language, names: Mapping[str, tuple[str, str]]) -> dict[str, str]:
    return {key: (native or name) if lang == "ja" else name for key, (name, native) in names.items()}


def explain_k(book: RuleBook, k: Coefficient, lang: Language) -> str:
    """A K, and why it is this one."""
    return SentenceWriter(book, lang).sentence(reason_of_k(k)).text


def _wanted_list(ledger: ChessLedger, player: str, name: str | None) -> tuple[RatedList, dict[str, str]]:
    """The list to explain, and by speed the last one in which the player has a line."""
    names = list_names(ledger, None)
    if name is not None and name not in names:
        raise UnknownListError(name, ", ".join(names[-5:]))
    found: RatedList | None = None
    last: dict[str, str] = {}
    for rated in history(ledger, names[: names.index(name) + 1] if name else names):
        speeds = _speeds_with_lines(rated, player)
        last |= dict.fromkeys(speeds, rated.batch.name)
        if name or speeds or not last or _is_moved(rated, player):
            found = rated
    if found is None:
        raise UnknownListError(name or "", "-")
    return found, last


def _speeds_with_lines(rated: RatedList, player: str) -> set[str]:
    return {
        lines.speed for lines in rated.outcome.events if any(line.player == player for line in lines.lines)
    }


def _is_moved(rated: RatedList, player: str) -> bool:
    """Whether an adjustment of the list moved a rating of the player's."""
    steps = [step for speed in rated.edition.book.speeds for step in rated.adjusted.of(speed, player)]
    return any(step.after is not step.before for step in steps)


def _statements(account: RatingAccount, part: Part) -> Iterator[Statement]:
    """The book's sentences about one speed; where games make no list, those about the games alone."""
    edition, sentences = account.edition, cast("ChessBook", account.edition.book).sentences
    has_list = part.speed in edition.book.speeds
    if edition.stands_in:
        yield Statement("stands-in", "", {"book": edition.book.name, "edition": edition.stands_in})
    if has_list:
        yield from sentences.before(part)
    for side in part.sides:
        yield from sentences.game(part, side)
    if has_list:
        yield from sentences.result(part)
        yield from adjustment_statements(part.figures.adjusted)
        yield from sentences.after(_after_adjustments(part))


def _after_adjustments(part: Part) -> Part:
    """The part as it stands after the list, whatever its adjustments were."""
    calculation = part.figures.calculation._replace(after=part.figures.after)
    return part._replace(figures=part.figures._replace(calculation=calculation))


def _heading(account: RatingAccount, part: Part, writer: SentenceWriter) -> str:
    has_list = part.speed in account.edition.book.speeds
    key = "title" if part.speed else "title-one-list" if has_list else "title-no-speed"
    facts = {
        "name": writer.players[account.player],
        "id": account.player,
        "speed": writer.text(f"speed-{part.speed}") if part.speed else "",
        "list": list_title(account.list_name, writer.lang),
        "book": account.edition.book.name,
    }
    return writer.text(key, facts)


# What a player's ratings in a list rest on


def account(ledger: ChessLedger, rated: RatedList, player: str, last: Mapping[str, str]) -> RatingAccount:
    """A player's account of a list; `last` gives the last list with lines of the player by speed."""
    names = {p.player_id: (p.name, p.name_native) for p in ledger.players}
    events = {event.event_id: (event.name, event.name_native) for event in ledger.events}
    settings = rated.edition.settings
    parts = []
    for speed in dict.fromkeys(("", *ledger.pool.speeds)):
        sides = list(_sides(rated, player, speed))
        parts.append(Part(speed, sides, figures(rated, speed, player), last.get(speed, ""), settings))
    return RatingAccount(player, rated.batch.name, rated.edition, names, events, parts)


def _sides(rated: RatedList, player: str, speed: str) -> Iterator[Side]:
    for lines in rated.outcome.events:
        if lines.speed == speed:
            for line in lines.lines:
                if line.player == player:
                    day = _day(rated, lines.event, line)
                    who = not_members(rated.edition.book, rated.batch.register, lines.event, line, day)
                    yield Side(lines.event, line, day, who)


def not_members(book: RuleBook, register: Register, event: Event, line: Line, day: date) -> tuple[str, ...]:
    """Who of the two was no member that day, of a game that is kept out for it; nobody for other games."""
    if line.verdict != MEMBER or not isinstance(book, ChessBook) or book.is_member is None:
        return ()
    return tuple(p for p in (line.player, line.opponent) if not book.is_member(register, p, event, day))


def not_members_by_event(rated: RatedList) -> dict[str, set[str]]:
    """The players whose missing membership keeps games out of a list, by the event's id."""
    found: dict[str, set[str]] = {}
    for lines in rated.outcome.events:
        for line in lines.lines:
            if line.verdict == MEMBER:
                day = _day(rated, lines.event, line)
                who = not_members(rated.edition.book, rated.batch.register, lines.event, line, day)
                found.setdefault(lines.event.event_id, set()).update(who)
    return found


def _day(rated: RatedList, event: Event, line: Line) -> date:
    """The day the line's game was played."""
    pair = {line.player, line.opponent}
    entry = next(e for e in rated.batch.entries if e.event is event)
    game = next(g for g in entry.games if g.round == line.round and {g.white, g.black} == pair)
    return game.played or event.starts


def figures(rated: RatedList, speed: str, player: str) -> Figures:
    """What one speed of a player's list rests on."""
    outcome = rated.outcome
    found = outcome.calculations.get(speed, {}).get(player)
    before = rated.before.get(speed, {}).get(player, UNRATED)
    adjusted = rated.adjusted.of(speed, player)
    after = adjusted[0].before if adjusted else outcome.standings.of(speed, player)
    calculation = found or Calculation(player, before, before, "", 0, 0, False, None, after)
    on_file = calculation.first.games if calculation.first else _waiting(rated, speed, player)
    return Figures(
        calculation,
        found is not None,
        rated.batch.opens_edition and chess_book(rated.edition).raises_to_floor,
        _taken_over(rated, calculation),
        tuple(dict.fromkeys(game.event_id for game in on_file)),
        tuple(_step(rated, each) for each in adjusted),
    )


def _step(rated: RatedList, adjusted: AdjustedRating) -> AdjustmentStep:
    """What an adjustment made of a rating."""
    scale, of = chess_book(rated.edition).scale, adjusted.adjustment
    before, after = (
        with_decimals(scale.read(rating), scale.places) for rating in (adjusted.before, adjusted.after)
    )
    return AdjustmentStep(of.adjustment_id, of.decision, of.points, before, after, adjusted.after)


def _waiting(rated: RatedList, speed: str, player: str) -> tuple[FirstGame, ...]:
    return rated.outcome.standings.waiting.get(speed, {}).get(player, ())


def _taken_over(rated: RatedList, calculation: Calculation) -> int | None:
    """The inherited rating as it is where it comes from; None: nothing was inherited."""
    if not calculation.source:
        return None
    member = rated.batch.register.players[calculation.player]
    found: int | None = getattr(member, calculation.source.replace("-", "_"), calculation.entered.value)
    return found
