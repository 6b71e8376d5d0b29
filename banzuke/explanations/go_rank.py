"""How a Go player's rank came about: every game with its terms, points and lines, in sentences."""

from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple, cast

from banzuke.core.decimals import halves
from banzuke.core.go_facts import GoGame, GoLine, GoState, Zone
from banzuke.core.rulebook import GoBook, RuleBook
from banzuke.core.sentences import GoSentences, PlayerName, Statement, Word
from banzuke.engine.agreed_terms import RankChanges, RanksBefore
from banzuke.engine.go_history import history, moment, opening
from banzuke.engine.result_rows import ranks
from banzuke.explanations.explanation import Explanation, Section, Sentence, SentenceWriter, find_player
from banzuke.ledger.folder import GoLedger
from banzuke.ledger.pool_rules import EditionInForce, go_book
from banzuke.words import Language


class GoAccount(NamedTuple):
    """What is explained of a player's rank: the state now, and the last games of `total` in all.

    Each game stands with the book that rated it. `before` has the ranks by which a game's terms were regular,
    by the game's id, where these were others than when it ended.
    """

    player: str
    list_name: str
    edition: EditionInForce
    state: GoState
    total: int
    games: Sequence[tuple[RuleBook, GoGame, GoLine]]
    names: Mapping[str, str]
    before: Mapping[str, RanksBefore]


def explain(
    ledger: GoLedger, wanted: str, until: str | None, lang: Language, games: int | None
) -> Explanation:
    """A player's rank, its lines, and the last `games` games (None: all), up to an ISO time.

    Raises UnknownPlayerError and UnknownListError.
    """
    player = find_player(wanted, {p.player_id: (p.name,) for p in ledger.players})
    names = {p.player_id: p.name for p in ledger.players}
    run, at, count = opening(ledger), moment(until), 0
    pool, last = ledger.pool, deque[tuple["RuleBook", "GoGame", "GoLine"]](maxlen=games)
    changes, before = RankChanges(run.states, ledger.declarations), {}
    for rated in history(ledger, run, at):
        book = go_book(pool.edition_at(rated.game.ended))
        earlier = changes.ranks_before(book, rated)
        for line in (rated.black, rated.white):
            if line.player == player:
                last.append((book, rated.game, line))
                count += 1
                if earlier:
                    before[rated.game.game_id] = earlier
    edition = pool.editions[-1] if at is None else pool.edition_at(at)
    account = GoAccount(player, until or "", edition, run.states[player], count, last, names, before)
    return explain_account(account, lang)


def explain_account(account: GoAccount, lang: Language) -> Explanation:
    """A player's account in sentences."""
    player, book = account.player, account.edition.book
    writer = SentenceWriter(book, lang, account.names)
    sentences = writer.sentences(_sentences(book).state(account.state, account.edition.zone))
    if 0 < len(account.games) < account.total:
        facts = {"shown": len(account.games), "all": account.total}
        sentences.append(writer.sentence(Statement("go-shown", "", facts)))
    for rated_by, game, line in account.games:
        sentences.append(_game_sentence(SentenceWriter(rated_by, lang, account.names), game, line))
        if before := account.before.get(game.game_id):
            sentences.append(explain_ranks_before(rated_by, before, lang))
    heading = {"name": account.names[player], "id": player, "rank": account.state.rank}
    section = Section(writer.text("title-go", heading), sentences)
    return Explanation(player, account.list_name, book.name, [section])


def explain_state(book: RuleBook, state: GoState, zone: Zone, lang: Language) -> list[Sentence]:
    """Where a player stands now, and how far the lines are."""
    return SentenceWriter(book, lang).sentences(_sentences(book).state(state, zone))


def explain_game(book: RuleBook, line: GoLine, lang: Language) -> Sentence:
    """What a game did for one side, and by which clause."""
    return SentenceWriter(book, lang).sentence(_sentences(book).game(line))


def _sentences(book: RuleBook) -> GoSentences:
    return cast("GoBook", book).sentences


def explain_ranks_before(book: RuleBook, before: RanksBefore, lang: Language) -> Sentence:
    """That the terms of a game were regular by earlier ranks."""
    clause = cast("GoBook", book).cites["regular"]
    return SentenceWriter(book, lang).sentence(Statement("go-regular-before", clause, before._asdict()))


def _game_sentence(writer: SentenceWriter, game: GoGame, line: GoLine) -> Sentence:
    """When and against whom, what the game did for this side, and by which clause."""
    statement = _sentences(writer.book).game(line)
    text = writer.text("go-said", {"game": _game(game, line), "what": Word(statement.key, statement.facts)})
    return Sentence(text, statement.clause, statement.key)


def _game(game: GoGame, line: GoLine) -> Word:
    """When, against whom, with which result and on which terms."""
    facts = {
        "ended": game.ended,
        "game": game.game_id,
        "colour": Word("go-colour-black" if game.black == line.player else "go-colour-white"),
        "result": Word("go-undecided" if line.won is None else "go-won" if line.won else "go-lost"),
        "opponent": PlayerName(line.opponent),
        "rank": line.opponent_before.rank,
        "terms": _terms(game, line),
    }
    return Word("go-game", facts)


def _terms(game: GoGame, line: GoLine) -> Word:
    komi = halves(game.komi)
    stones = Word("go-stones", {"stones": game.handicap}) if game.handicap > 1 else Word("go-stones-0")
    if line.difference is None:
        return Word("go-terms", {"stones": stones, "komi": komi})
    side = "even" if line.upper is None else "upper" if line.upper else "lower"
    facts = {"stones": stones, "komi": komi, "d": ranks(line.difference), "side": Word(f"go-side-{side}")}
    return Word("go-terms-difference", facts)
