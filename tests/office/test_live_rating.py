"""Whatever comes in whatever order, a Go pool's live standings are what rating its whole book gives."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import count

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.core.fault import RefusedError
from banzuke.core.go_facts import RANK_NAMES, Declaration, GoGame, GoOpening, GoPlayer
from banzuke.database.book_reader import read_book, rules_from
from banzuke.database.book_writer import Act, add_facts, enter_ledger, open_entry
from banzuke.database.models import Declaration as DeclarationRow
from banzuke.database.models import GoGame as GameRow
from banzuke.database.models import LiveGame, LiveStanding, Strike
from banzuke.engine.go_history import history, opening
from banzuke.engine.go_ranking import rung, strength
from banzuke.ledger.folder import GoLedger
from banzuke.office.fact_rows import TABLES, replace, standing_rows, strike
from banzuke.office.journal import Actor
from banzuke.office.live import accounts, game_rating, live_pool, live_tables, pool_events, submission_queue
from banzuke.office.live.live_codec import state_from, texts_of
from banzuke.office.live.live_verification import differing_standings

pytestmark = pytest.mark.django_db

FILES = {"pool.toml": 'name = "Go"\n[[edition]]\nrulebook = "pandanet"\nfrom = 2020-01-01\n'}
START = datetime(2026, 2, 28, 23, 30, tzinfo=UTC)
PLAYERS = 5
SLUGS = count()

moments = st.integers(0, 60).map(lambda minutes: START + timedelta(minutes=minutes))
players = st.integers(0, PLAYERS - 1)
declared = st.sampled_from(["17k", "16k", "17k", "3k", "1d", "BC", "3p"])
whole_ranks = st.sampled_from([name for name in RANK_NAMES if not name.endswith("+")])


@st.composite
def openings(draw):
    """With whom the server opened: near the lines, and near where the multiplier changes."""
    made = []
    for player in range(PLAYERS):
        if draw(st.booleans()):
            rank, points = draw(st.sampled_from([("17k", -150), ("17k", 390), ("17k+", 420), ("16k", 610)]))
            made.append(GoOpening(f"p{player}", rank, draw(st.sampled_from([20, 49, 50, 100])), points))
    return made


@st.composite
def games(draw):
    """A game; what is not rated among those that are."""
    black, white = draw(st.lists(players, min_size=2, max_size=2, unique=True))
    result = draw(st.sampled_from("BWBWBW" + "D"))
    fault = draw(st.sampled_from(["", "", "", "black", "white"]))
    if fault:
        result = "W" if fault == "black" else "B"
    return GoGame(
        f"g{draw(st.integers(0, 99_999))}",
        draw(moments),
        f"p{black}",
        f"p{white}",
        "draw" if result == "D" else result,
        draw(st.sampled_from([0, 0, 0, 2])),
        draw(st.sampled_from([13, 13, 1, -11, 12])),
        draw(st.sampled_from([19] * 6 + [9])),
        draw(st.sampled_from([0, 1, 150, 150])),
        draw(st.sampled_from(["", "", "free"])),
        draw(st.sampled_from([None, None, True])),
        draw(st.sampled_from(["", "", "", "black"])),
        fault,
    )


sendings_of_games = st.lists(games(), min_size=1, max_size=4, unique_by=lambda game: game.game_id)
acts = st.one_of(
    st.tuples(st.just("send"), sendings_of_games),
    st.tuples(st.just("send"), sendings_of_games),
    st.tuples(st.just("report"), sendings_of_games),
    st.tuples(st.just("void"), st.integers(0, 30)),
    st.tuples(st.just("strike"), st.integers(0, 30)),
    st.tuples(st.just("unsay"), st.integers(0, 30)),
    st.tuples(st.just("reopen"), st.tuples(players, st.sampled_from([-150, 390, 420]))),
    st.tuples(st.just("declare"), st.tuples(players, moments, whole_ranks)),
    st.tuples(st.just("join"), declared),
    st.tuples(st.just("mark_robot"), st.tuples(players, st.booleans())),
    st.tuples(st.just("rename"), st.tuples(players, st.sampled_from(["Aoi", "葵"]))),
)


class Office:
    """A pool, and what was done to it."""

    def __init__(self, ranks, opened):
        slug = f"go{next(SLUGS)}"
        came = [GoPlayer(f"p{number}", "", rank) for number, rank in enumerate(ranks)]
        ledger = GoLedger(rules_from(FILES), came, [], [], opened)
        self.pool = enter_ledger(slug, ledger, FILES, Act("officer", "import-ledger"))
        self.games = {}

    def send(self, sent):
        """As a program does; what the office has under another id is refused with all that came with it."""
        live_pool.synchronise(self.pool)
        before, lines = self.states(), self.lines()
        try:
            taken = submission_queue.send(self.pool, sent, "server")
        except RefusedError as refused:
            codes = {fault.code for fault in refused.faults}
        else:
            codes = set()
        if codes:
            assert codes <= {"other-game", "struck-game"}
            assert any(game.game_id in self.games for game in sent)
            return
        self.games |= {game.game_id: game for game in sent}
        now, players = self.states(), {player for game in sent for player in (game.black, game.white)}
        assert taken.effect.states == {
            player: (before[player], state)
            for player, state in now.items()
            if state != before[player] and player not in players
        }
        again = {each.game.game_id: texts_of(each.lines) for each in taken.effect.rated_again}
        assert again == {key: text for key, text in self.lines().items() if lines.get(key, text) != text}
        for game, answer in zip(sent, taken.games, strict=True):
            assert answer.now == (now[game.black], now[game.white])
            row = LiveGame.objects.get(pk=answer.number)
            assert (row.game_id, row.stands) == (game.game_id, True)
            assert (row.black_line, row.white_line) == texts_of(answer.lines)

    def states(self):
        """Where everybody stands."""
        seats = LiveStanding.objects.filter(pool=self.pool)
        return {seat.player_id: state_from(seat.state) for seat in seats}

    def lines(self):
        """Both lines of each game as they stand, as text."""
        rows = LiveGame.objects.filter(pool=self.pool, stands=True)
        return {row.game_id: (row.black_line, row.white_line) for row in rows}

    def report(self, sent):
        """Past the service, as the inbox does."""
        new = [game for game in sent if game.game_id not in self.games]
        self._enter(GoGame, new)
        self.games |= {game.game_id: game for game in new}

    def void(self, number):
        if self.games:
            pool_events.void_game(
                self.pool, sorted(self.standing())[number % len(self.standing())], "server", ""
            )

    def strike(self, number):
        ids = sorted(self.standing())
        if len(ids) > 1:
            row = GameRow.objects.get(pool=self.pool, game_id=ids[number % len(ids)])
            with transaction.atomic():
                entry = open_entry(self.pool, Act("officer", "inquiry"))
                day = date(2026, 3, 1)
                Strike.objects.create(entry=entry, pool=self.pool, table="games", row=row.pk, day=day)

    def reopen(self, said):
        """Another standing that a player came with, as an inquiry enters it."""
        player, points = f"p{said[0]}", said[1]
        if standing_rows(self.pool, GoPlayer).filter(player_id=player, declared__endswith="p").exists():
            return
        new = GoOpening(player, "17k+" if points > 400 else "17k", 30, points)
        row = standing_rows(self.pool, GoOpening).filter(player_id=player).last()
        with transaction.atomic():
            entry = open_entry(self.pool, Act("officer", "inquiry"))
            if row is None:
                add_facts(entry, TABLES[GoOpening], [new])
            else:
                replace(entry, row, new, date(2026, 3, 1))

    def unsay(self, number):
        """Strike a declaration, as an inquiry does."""
        struck = Strike.objects.filter(pool=self.pool, table="declarations").values("row")
        rows = list(DeclarationRow.objects.filter(pool=self.pool).exclude(pk__in=struck).order_by("pk"))
        if rows:
            with transaction.atomic():
                entry = open_entry(self.pool, Act("officer", "inquiry"))
                strike(entry, Declaration, rows[number % len(rows)].pk, date(2026, 3, 1))

    def standing(self):
        struck = Strike.objects.filter(pool=self.pool, table="games").values("row")
        rows = GameRow.objects.filter(pool=self.pool).exclude(pk__in=struck)
        return list(rows.values_list("game_id", flat=True))

    def declare(self, said):
        player, at, rank = said
        made = Declaration(f"p{player}", at, rank)
        before = {(each.player_id, each.at): each.rank for each in read_book(self.pool).declarations}
        if before.get(made[:2], rank) == rank:
            pool_events.add_declaration(self.pool, made, "server")
        else:
            with pytest.raises(RefusedError):
                pool_events.add_declaration(self.pool, made, "server")

    def join(self, rank):
        number = len(read_book(self.pool).players)
        accounts.add_players(self.pool, [accounts.Newcomer(GoPlayer(f"p{number}", "", rank))], "server")

    def mark_robot(self, said):
        player, is_robot = said
        accounts.mark_robot(self.pool, f"p{player}", is_robot, "", Actor("server"))

    def rename(self, said):
        player, name = said
        accounts.rename_player(self.pool, f"p{player}", name, "", Actor("server"))
        assert {each.name for each in read_book(self.pool).players if each.player_id == f"p{player}"} == {
            name
        }

    def _enter(self, record, rows):
        with transaction.atomic():
            add_facts(open_entry(self.pool, Act("officer", "report")), TABLES[record], rows)

    def check(self):
        """The live standings, and the lines of every game, against the batch."""
        with live_pool.lock_current_pool(self.pool):
            pass
        ledger = read_book(self.pool)
        run = opening(ledger)
        rated = {each.game.game_id: texts_of(each[1:]) for each in history(ledger, run, None)}
        rows = LiveGame.objects.filter(pool=self.pool, stands=True)
        assert rows.count() == len(rated)
        assert {row.game_id: (row.black_line, row.white_line) for row in rows} == rated
        seats = LiveStanding.objects.filter(pool=self.pool)
        assert {seat.player_id: state_from(seat.state) for seat in seats} == run.states
        for seat in seats:
            state = run.states[seat.player_id]
            assert (seat.rung, seat.strength) == (rung(state), strength(state))
        last = {row.game_id: row.stands for row in LiveGame.objects.filter(pool=self.pool).order_by("pk")}
        assert {game for game, stands in last.items() if stands} == set(rated)


@pytest.mark.parametrize("few", [2, game_rating.MOST_READ])
@given(st.lists(declared, min_size=PLAYERS, max_size=PLAYERS), openings(), st.lists(acts, max_size=40))
@settings(max_examples=examples(80), suppress_health_check=[HealthCheck.too_slow])
def test_live_standings_are_those_of_the_batch(few, ranks, opened, done):
    """However much is read at once of what comes later."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(game_rating, "MOST_READ", few)
        patched.setattr(game_rating, "READ_FOR_EACH", few)
        patched.setattr(live_tables, "FIRST_STRETCH", few)
        check_history(ranks, opened, done)


def check_history(ranks, opened, done):
    whole = [row for row in opened if ranks[int(row.player_id[1:])] != "3p"]
    office = Office(ranks, whole)
    for number, (act, said) in enumerate(done):
        getattr(office, act)(said)
        if number % 7 == 0:
            office.check()
    office.check()
    assert differing_standings(office.pool) == []


@given(st.lists(games(), min_size=2, max_size=30, unique_by=lambda game: game.game_id), st.randoms())
@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.too_slow])
def test_the_order_of_sendings_does_not_matter(sent, chance):
    ranks = ["17k", "17k", "16k", "3k", "BC"]
    opened = [GoOpening("p0", "17k", 30, 100), GoOpening("p1", "17k+", 50, 420)]
    ways = []
    for _ in range(2):
        chance.shuffle(sent)
        office = Office(ranks, opened)
        for some in (sent[at : at + 3] for at in range(0, len(sent), 3)):
            office.send(some)
        office.check()
        ways.append(dict(LiveStanding.objects.filter(pool=office.pool).values_list("player_id", "state")))
    assert ways[0] == ways[1]
