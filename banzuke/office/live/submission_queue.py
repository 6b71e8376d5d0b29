"""Games as programs send them: those that come together, or wait within a process, go into one transaction.

So a disk that can sync a thousand times a second stores more games than that. Each sending is taken or
refused by itself, as a whole.
"""

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from operator import attrgetter
from threading import Lock
from typing import NamedTuple, TypeVar

from banzuke.core.fault import Fault, RefusedError, fault
from banzuke.core.go_facts import VOID, GoGame, GoLine, GoState
from banzuke.database.models import Pool
from banzuke.database.outages import Outage, outage_of
from banzuke.engine.agreed_terms import RanksBefore
from banzuke.ledger.checks import check_game
from banzuke.office.live.earlier_ranks import GameWithLines, ask_ranks_before
from banzuke.office.live.erased_players import ErasedPlayers, erased_fault, erased_players
from banzuke.office.live.game_rating import GameRating
from banzuke.office.live.live_pool import catch_up
from banzuke.office.live.live_rows import Seat, StoredGame, TimeKey, place_of
from banzuke.office.live.moment_limits import refuse_future, refuse_late
from banzuke.office.live.pool_writer import Permission, PoolWriter, lock_pool
from banzuke.office.live.recent_lines import recent_lines
from banzuke.office.live.robots import Robots, robots_of

#: The word for games sent, in faults; their lines count a sending's games from 1.
GAMES = "games"
#: What an act on a locked pool gives.
Done = TypeVar("Done")
#: Sendings are taken together until they have so many games.
MOST_TOGETHER = 2_000
#: Of more games at once it is not looked up by which earlier ranks their terms were regular.
MOST_WITH_RANKS_BEFORE = 20


class AcceptedGame(NamedTuple):
    """A game as it stands with Black's line and White's; its number in the feed; whether it has just come.

    `now` is where Black and White stand, which after a late game is not what the lines say.
    """

    number: int
    game_id: str
    lines: tuple[GoLine, GoLine]
    now: tuple[GoState, GoState]
    is_new: bool


class LateEffect(NamedTuple):
    """What late games did beside their own lines: the games that were rated again, in order, and who moved.

    `states` have before and after of each player who moved; of one sending, without its games' own players.
    """

    rated_again: list[GameRating]
    states: dict[str, tuple[GoState, GoState]]


class SubmissionResult(NamedTuple):
    """The games of a sending in its order, and what they did to others.

    `ranks_before` are the earlier ranks by which terms were regular, by the game's id; of a sending of many
    games they are not looked up.
    """

    games: list[AcceptedGame]
    effect: LateEffect
    ranks_before: dict[str, RanksBefore]


class NewGames(NamedTuple):
    """New games by id, their last entry (None: there are none), the seats that changed, what late games did.

    `numbers` tells the games' numbers in the feed, by id.
    """

    games: dict[str, GameRating]
    entry: int | None
    numbers: Callable[[], dict[str, int]]
    seats: dict[str, Seat]
    effect: LateEffect


NO_EFFECT = LateEffect([], {})


class NoPermissionError(Exception):
    """The sender may not send these games any more."""


class Submission:
    """What one program sends at once, and what becomes of it.

    Its games come into the book under an entry of its own, or that of `beside`, which is by the same author.
    `permission` is asked for in the transaction that writes them.
    """

    def __init__(
        self,
        games: Sequence[GoGame],
        author: str,
        beside: "Submission | None" = None,
        permission: Permission | None = None,
    ) -> None:
        self.games = games
        self.author = author
        self.permission = permission
        self.head = beside or self
        self.result = SubmissionResult([], NO_EFFECT, {})
        self.error: BaseException | None = None
        self.is_done = False


class _Queue:
    def __init__(self) -> None:
        self.turn = Lock()
        self.waiting: deque[Submission] = deque()

    def next_together(self) -> list[Submission]:
        """Those who wait, in order, as long as it is not too much at once."""
        together: list[Submission] = []
        games = 0
        while self.waiting and games < MOST_TOGETHER:
            together.append(self.waiting.popleft())
            games += len(together[-1].games)
        return together

    def take_next(self, pool: Pool) -> None:
        """Take the next together."""
        together = self.next_together()
        _take_all(pool, together)
        busy = next((each.error for each in together if outage_of(each.error) is Outage.BUSY), None)
        if busy is not None:
            self._give_up(busy)

    def _give_up(self, error: BaseException) -> None:
        """Who came meanwhile has waited for the same database, and does not wait for it as long again."""
        while self.waiting:
            submission = self.waiting.popleft()
            submission.error, submission.is_done = error, True


_queues: dict[int, _Queue] = {}


def send(pool: Pool, games: Sequence[GoGame], author: str) -> SubmissionResult:
    """Take games in, all or none, and answer once they are on the disk.

    Raises RefusedError with every fault; a game that is there already, the same, is answered as it stands.
    """
    mine = Submission(games, author)
    send_together(pool, [mine])
    if mine.error is not None:
        raise mine.error
    return mine.result


def send_together(pool: Pool, submissions: Sequence[Submission]) -> None:
    """Take in what several programs sent: each gets its result, once it is on the disk, or its error.

    Whoever comes first takes along all who wait behind.
    """
    queue = _queues.setdefault(pool.pk, _Queue())
    queue.waiting.extend(submissions)
    with queue.turn:
        while not all(each.is_done for each in submissions):
            queue.take_next(pool)


def _take_all(pool: Pool, submissions: Sequence[Submission]) -> None:
    """Take all in one transaction; where that fails, each gets the error."""
    try:
        with_writer(pool, submissions, lambda writer, seats: write_submissions(writer, submissions, seats))()
    except BaseException as error:  # noqa: BLE001  # whatever it is, each answers with it
        for each in submissions:
            each.error = each.error or error
    for each in submissions:
        each.is_done = True


def with_writer(
    pool: Pool, submissions: Sequence[Submission], act: Callable[[PoolWriter, Mapping[str, Seat]], Done]
) -> Done:
    """Act within a transaction in which nobody else writes into the pool's book, on standings that hold it.

    `act` is given the seats of the submissions' players. What it gives is given back once all is committed.
    Raises NotLiveError.
    """
    games = {game.game_id for each in submissions for game in each.games}
    players = {player for each in submissions for game in each.games for player in (game.black, game.white)}
    permissions = {each.permission for each in submissions if each.permission}
    entries = len({each.head for each in submissions})
    with lock_pool(pool, games, players, entries, permissions) as writer:
        for each in submissions:
            if each.permission and each.permission not in writer.permissions:
                each.error = NoPermissionError()
        seats = writer.first_seats
        if not writer.is_current:
            catch_up(writer)
            seats = writer.seats(players)
        return act(writer, seats)


def write_submissions(
    writer: PoolWriter, submissions: Sequence[Submission], seats: Mapping[str, Seat]
) -> Callable[[], None]:
    """Write those that are without a fault; each with one gets its error.

    Gives a function that gives the others their results; it is called once all is committed.
    """
    new = enter(writer, submissions, seats)
    good = [each for each in submissions if each.error is None]
    there = {game.game_id for each in good for game in each.games} - new.games.keys()
    stored_games = writer.standing_games(there) if there else {}
    lines = {game_id: each.lines for game_id, each in (new.games | stored_games).items()}
    states = {player: seat.state for player, seat in {**seats, **new.seats}.items()}
    asked = [
        GameWithLines(game, lines[game.game_id])
        for each in good
        if len(each.games) <= MOST_WITH_RANKS_BEFORE
        for game in each.games
    ]
    recent = recent_lines(writer.pool)
    known = None if new.effect.rated_again else recent.find(writer, new.games.values(), seats)
    fetch_ranks_before = ask_ranks_before(writer.pool, asked, known or {})

    def answer() -> None:
        numbers = {game_id: each.number for game_id, each in stored_games.items()} | new.numbers()
        ranks_before = fetch_ranks_before()
        if new.entry is not None:
            recent.keep(writer, new.entry, known)
        unanswered = set(new.games)
        for submission in good:
            games = []
            for game in submission.games:
                game_id, now = game.game_id, (states[game.black], states[game.white])
                is_new = game_id in unanswered
                games.append(AcceptedGame(numbers[game_id], game_id, lines[game_id], now, is_new))
                unanswered.discard(game_id)  # it is new to the first who sent it alone
            effect = late_effect_of(submission.games, new.effect)
            told = ranks_before if len(submission.games) <= MOST_WITH_RANKS_BEFORE else {}
            submission.result = SubmissionResult(games, effect, told)

    return answer


def enter(writer: PoolWriter, submissions: Sequence[Submission], seats: Mapping[str, Seat]) -> NewGames:
    """Write those that are without a fault: which of their games were new. The others get their error.

    Who has one already is left out.
    """
    stored_games = writer.games_by_id(writer.there) if writer.there else {}
    new: dict[str, tuple[GoGame, Submission]] = {}
    robots = robots_of(writer.pool, writer.locked.robots)
    erased = erased_players(writer.pool, writer.locked.erased)
    for submission in submissions:
        if submission.error is not None:
            continue
        faults = _faults(writer, submission.games, stored_games, new, seats, robots, erased)
        if faults:
            submission.error = RefusedError(faults)
            continue
        for game in submission.games:
            if game.game_id not in stored_games:
                new.setdefault(game.game_id, (robots.marked(game), submission))
    return _write(writer, new, seats) if new else NewGames({}, None, dict[str, int], {}, NO_EFFECT)


def _write(
    writer: PoolWriter, new: Mapping[str, tuple[GoGame, Submission]], seats: Mapping[str, Seat]
) -> NewGames:
    """New games written and rated, each under the entry of its sending."""
    senders = list(dict.fromkeys(submission.head for _, submission in new.values()))
    made = writer.add_entries([each.author for each in senders], GAMES)
    entries = dict(zip(senders, made, strict=True))
    writer.add_games([(entries[submission.head], game) for game, submission in new.values()])
    done = writer.rate([game for game, _ in new.values()], seats)
    again = [each for each in done.rated if each.was]
    before = {**seats, **writer.seats(done.seats.keys() - seats.keys())} if again else {}
    entry = max(made)
    numbers = writer.write(entry, done)
    games = {each.game.game_id: each for each in done.rated if not each.was}
    states = {player: (before[player].state, done.seats[player].state) for player in done.seats if again}
    moved = {player: both for player, both in sorted(states.items()) if both[0] != both[1]}
    return NewGames(games, entry, lambda: _only(games, numbers()), done.seats, LateEffect(again, moved))


def _only(games: Iterable[str], numbers: Mapping[str, int]) -> dict[str, int]:
    return {game_id: numbers[game_id] for game_id in games}


def late_effect_of(games: Sequence[GoGame], effect: LateEffect) -> LateEffect:
    """Of what all late games of a transaction did what may have come from these.

    A game that was rated again is theirs if one of its players played one of them before it, or an earlier
    game that is theirs.
    """
    if not effect.rated_again:
        return effect
    reached: dict[str, TimeKey] = {}
    for game in games:
        for player in (game.black, game.white):
            reached[player] = min(place_of(game), reached.get(player, place_of(game)))
    sent, mine = set(reached), list[GameRating]()
    for each in sorted(effect.rated_again, key=attrgetter("place")):
        players = each.game.black, each.game.white
        if any(player in reached and reached[player] < each.place for player in players):
            mine.append(each)
            for player in players:
                reached.setdefault(player, each.place)
    moved = {player: both for player, both in effect.states.items() if player in reached.keys() - sent}
    return LateEffect(mine, moved)


def _faults(
    writer: PoolWriter,
    games: Sequence[GoGame],
    stored_games: Mapping[str, StoredGame | None],
    new: Mapping[str, tuple[GoGame, Submission]],
    seats: Mapping[str, Seat],
    robots: Robots,
    erased: ErasedPlayers,
) -> list[Fault]:
    """What is wrong with a sending, for which those before it are there already."""
    faults: list[Fault] = []
    own: dict[str, GoGame] = {}
    now = datetime.now(UTC)
    for number, game in enumerate(games, 1):
        gone = erased.sides(game, seats)
        if any(player not in seats or game.game_id not in stored_games for _, player in gone):
            faults += [erased_fault(GAMES, number, side, player) for side, player in gone]
            continue
        check_game(writer.rules, GAMES, game, number, lambda player: player not in seats, faults)
        if game.game_id in stored_games:
            stored = stored_games[game.game_id]
            there = stored and stored.game
        else:
            earlier = new.get(game.game_id)
            there = earlier[0] if earlier else own.setdefault(game.game_id, robots.marked(game))
            refuse_late(writer.locked, GAMES, number, "ended", game.ended, faults)
            refuse_future(GAMES, number, game.ended, now, faults)
        if there is None:
            faults.append(fault(GAMES, number, "game_id", "struck-game", id=game.game_id))
        elif there is not game and not _is_same(there, robots.as_there(game, there)):
            faults.append(fault(GAMES, number, "game_id", "other-game", id=game.game_id))
    return faults


def _is_same(there: GoGame, sent: GoGame) -> bool:
    """Whether a game is the one that is there, which may have been annulled meanwhile."""
    if there.result == VOID:
        there = there._replace(result=sent.result, fault=sent.fault)
    return there == sent
