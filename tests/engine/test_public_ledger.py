"""The public ledger: the same lists as from the true one, stand-ins as the rule says, and nothing private."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from properties import examples

from banzuke.core.facts import ANNUAL, ONE_EVENT, Membership
from banzuke.core.private_facts import DayClause
from banzuke.core.registry import BOOKS
from banzuke.core.rulebook import ChessBook
from banzuke.engine.history import history, list_names
from banzuke.engine.public_ledger.public_files import MARKER, public_rule_files, write_public_ledger
from banzuke.engine.public_ledger.public_ledger import public_ledger
from banzuke.engine.public_ledger.public_players import PublicPlayers
from banzuke.engine.public_ledger.published_events import published_events
from banzuke.engine.public_ledger.stand_in_days import StandInDays
from banzuke.engine.rating_run import rate_ledger
from banzuke.engine.result_rows import change_rows, list_rows
from banzuke.ledger.folder import ChessLedger, read_ledger
from banzuke.ledger.toml_files import parse_toml, toml_document
from banzuke.testing.random_ledgers import START, chess_ledger, go_ledger

PROJECT = Path(__file__).parents[2]
CASES = PROJECT.parent / "shared" / "cases"
FOLDERS = [path.parent for root in (PROJECT / "examples", CASES) for path in sorted(root.glob("*/pool.toml"))]
CHESS = [name for name, book in BOOKS.items() if isinstance(book, ChessBook)]
SEEDS = st.integers(0, 10**6)
JULIES = [date(year, 7, 1) for year in range(1900, 2200)]
MONTHS = [date(year, month, 1) for year in range(1900, 2200) for month in range(1, 13)]


def hidden_of(ledger):
    return {player.player_id for player in ledger.players[::2]}


def lists_of(ledger, names):
    return [[*list_rows(rated), *change_rows(rated)] for rated in history(ledger, names)]


def questions_by_row(ledger, names):
    """What was asked of each row's days, by the row and the column."""
    players = PublicPlayers(ledger, ())
    for published in published_events(ledger, names):
        players.note(published)
    by_row = players._asked
    return [
        (row, column, [question for question in of_column if question[0] is not None])
        for row in ledger.players
        for column, of_column in by_row.get(id(row), {}).items()
    ]


def corrected(ledger, seed):
    """The ledger with corrections: of birth dates, memberships, reports and results."""
    dice = random.Random(seed)

    def day():
        return START + timedelta(days=dice.randrange(200, 700))

    def one_in(number):
        return dice.randrange(number) == 0

    players, memberships, events, games = [], [], [], {}
    for player in ledger.players:
        if one_in(2):
            on, born = day(), player.birth_date and player.birth_date + timedelta(days=dice.choice((0, 900)))
            players += [player._replace(struck=on), player._replace(added=on, birth_date=born)]
        else:
            players.append(player)
    for row in ledger.memberships:
        memberships.append(row._replace(struck=day()) if one_in(3) else row)
        if one_in(3):
            memberships.append(row._replace(added=day(), valid_to=row.valid_to + timedelta(days=900)))
    for event in ledger.events:
        if one_in(3):
            on = day()
            later = event.reported + timedelta(days=dice.choice((1, 40)))
            events += [replace(event, struck=on), replace(event, added=on, reported=later)]
        else:
            events.append(event)
        games[event.event_id] = [
            game._replace(struck=day()) if one_in(9) else game for game in ledger.games[event.event_id]
        ]
        if one_in(2):
            memberships.append(
                Membership("P001", ONE_EVENT, event.starts, event.ends, event.event_id, added=day())
            )
    return replace(ledger, players=players, memberships=memberships, events=events, games=games)


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_the_files_of_examples_and_cases_are_the_same_to_the_byte(folder, tmp_path):
    ledger = read_ledger(folder)
    names = ["2200-01"]
    if isinstance(ledger, ChessLedger):
        names = list_names(ledger, None)
    texts = {name: (folder / name).read_text("utf-8") for name in ledger.pool.files}
    public = public_ledger(ledger, hidden_of(ledger), names)
    write_public_ledger(public, texts, tmp_path / "public", names[-1])
    rate_ledger(ledger, tmp_path / "true-out")
    rate_ledger(read_ledger(tmp_path / "public"), tmp_path / "out")
    for path in (tmp_path / "true-out").iterdir():
        assert (tmp_path / "out" / path.name).read_bytes() == path.read_bytes()
    assert "NOT true" in (tmp_path / "public" / MARKER).read_text("utf-8")


@pytest.mark.parametrize("book", CHESS)
@given(seed=SEEDS, share=st.floats(0, 1))
@settings(max_examples=examples(60))
def test_each_list_is_the_same_of_the_public_ledger_to_it(book, seed, share):
    ledger = chess_ledger(BOOKS[book], seed, players=8, events=5)
    if not ledger.pool.schedule.is_by_event:
        ledger = corrected(ledger, seed)
    names = list_names(ledger, None)
    names = names[: max(1, round(share * len(names)))]
    public = public_ledger(ledger, hidden_of(ledger), names)
    assert list_names(public, names[-1] if names else None) == names
    assert lists_of(public, names) == lists_of(ledger, names)


@pytest.mark.parametrize("book", CHESS)
@given(seed=SEEDS)
@settings(max_examples=examples(40))
def test_a_stand_in_is_the_earliest_july_that_answers_alike(book, seed):
    ledger = corrected(chess_ledger(BOOKS[book], seed, players=8, events=5), seed)
    for row, column, questions in questions_by_row(ledger, list_names(ledger, None)):
        true = row.birth_date if column == "birth_date" else row.more.get(column)
        if not questions or not isinstance(true, date):
            continue

        def answers(day, questions=questions):
            return [clause.answer(day, asked) for clause, asked in questions]

        found = StandInDays().stand_in(true, questions)
        expected = next((day for day in JULIES if answers(day) == answers(true)), None)
        expected = expected or next((day for day in MONTHS if answers(day) == answers(true)), None)
        if expected is None:
            assert answers(found) == answers(true)
            assert answers(found - timedelta(days=1)) != answers(true)
        else:
            assert found == expected


@pytest.mark.parametrize(
    ("true", "changes", "stand_in"),
    [
        (date(2007, 3, 5), [], date(1900, 7, 1)),
        (date(2007, 3, 5), [date(2007, 1, 2)], date(2007, 7, 1)),
        (date(2007, 3, 5), [date(2007, 1, 2), date(2007, 6, 30)], date(2007, 2, 1)),
        (date(2007, 3, 5), [date(2007, 3, 1), date(2007, 6, 30)], date(2007, 3, 1)),
        (date(2007, 3, 5), [date(2007, 3, 2), date(2007, 3, 20)], date(2007, 3, 2)),
        (date(2007, 12, 5), [date(2007, 7, 2)], date(2008, 7, 1)),
        (date(2007, 12, 5), [date(2007, 12, 2), date(2008, 1, 2)], date(2008, 1, 1)),
        (date(1890, 3, 5), [date(1900, 1, 1)], date(1850, 7, 1)),
    ],
)
def test_a_stand_in_comes_as_near_as_it_must(true, changes, stand_in):
    clause = DayClause(lambda day, change: day >= change)
    assert StandInDays().stand_in(true, [(clause, change) for change in changes]) == stand_in


def test_a_junior_is_one_in_the_same_years():
    (row,) = [p for p in stand_ins_of("japan") if p.player_id == "J003"]
    assert row.birth_date == date(2006, 7, 1)


def stand_ins_of(example):
    ledger = read_ledger(PROJECT / "examples" / example)
    return public_ledger(ledger, (), list_names(ledger, None)).players


def test_a_blank_birth_date_stays_blank_and_one_nobody_asked_for_says_nothing():
    ledger = chess_ledger(BOOKS["hakodate"], 3)
    true = {player.player_id: player.birth_date for player in ledger.players}
    assert None in true.values()
    for player in public_ledger(ledger, (), list_names(ledger, None)).players:
        assert player.birth_date == (true[player.player_id] and date(1900, 7, 1))


def test_where_nothing_stands_that_was_rated_each_player_has_one_row():
    ledger = read_ledger(PROJECT / "examples" / "japan")
    first, *others = ledger.players
    struck = [first._replace(struck=date.min), first._replace(birth_date=date(1990, 2, 3))]
    events = [replace(event, struck=date.min) for event in ledger.events]
    ledger = replace(ledger, players=[*struck, *others], events=events)
    public = public_ledger(ledger, (), list_names(ledger, None)[:3])
    assert public.games == {event.event_id: [] for event in public.events}
    assert len({player.player_id for player in public.players}) == len(public.players)
    assert all(player.struck is None for player in public.players)


class TestNothingPrivate:
    @pytest.fixture(params=CHESS)
    def written(self, request, tmp_path):
        """A ledger in which everything private is seen but once, and the bytes of its public one."""
        ledger = chess_ledger(BOOKS[request.param], 11, players=16)
        days = {p.player_id: date(1951, 2, 2) + timedelta(days=411 * n) for n, p in enumerate(ledger.players)}
        columns = {column.name for column in ledger.pool.editions[0].book.columns.ledger.get("players", ())}
        ledger = replace(
            ledger,
            players=[
                player._replace(
                    name=f"SECRET{n} Name{n}",
                    name_native=f"秘{n}密",
                    birth_date=days[player.player_id],
                    sex=f"sex{n}",
                    club_id=f"CLUB{n}",
                    fide_id=f"777{n}000",
                    title=f"T{n}",
                    more=type(player.more)(
                        {"joined": date(2001, 3, 3) + timedelta(days=97 * n)} if "joined" in columns else {}
                    ),
                )
                for n, player in enumerate(ledger.players)
            ],
            memberships=[
                Membership(row.player_id, ANNUAL, date(2003, 5, 4), date(2098, 9, 7 + n))
                for n, row in enumerate(ledger.memberships)
            ],
            events=[
                replace(
                    event,
                    responsible="PERSON One",
                    reporter="PERSON Two",
                    applied=date(2020, 2, 3),
                    notified=date(2020, 2, 4),
                    paid=date(2020, 2, 5),
                    organiser="SOMEBODY",
                )
                for event in ledger.events
            ],
        )
        names = list_names(ledger, None)
        public = public_ledger(ledger, {p.player_id for p in ledger.players}, names)
        assert lists_of(public, names) == lists_of(ledger, names)
        text = (
            f'name = "P"  # by PERSON Three\n[[edition]]\nrulebook = "{request.param}"\nfrom = 2025-01-01\n'
        )
        write_public_ledger(public, {"pool.toml": text}, tmp_path / "public", names[-1])
        read_ledger(tmp_path / "public")
        return ledger, {path.name: path.read_text("utf-8") for path in (tmp_path / "public").iterdir()}

    def test_no_private_value_is_in_the_bytes(self, written):
        ledger, files = written
        everything = "\n".join(files.values())
        for player in ledger.players:
            for value in (player.name, player.name_native, player.club_id, player.fide_id, player.sex):
                assert value not in everything
            assert f",{player.title}," not in everything
            if "joined" in player.more:
                assert player.more["joined"].isoformat() not in everything
        for word in ("PERSON", "SOMEBODY", "2003-05-04", "2098", "2020-02-0"):
            assert word not in everything

    def test_birth_dates_are_in_no_cell(self, written):
        ledger, files = written
        born = {player.player_id: player.birth_date for player in ledger.players}
        for row in files["players.csv"].splitlines()[1:]:
            days = re.findall(r"\d{4}-\d\d-\d\d", row)
            assert born[row.split(",")[0]].isoformat() not in days


@pytest.mark.parametrize(
    ("book", "kept"),
    [
        ("ncs-2022", (2001, None, None)),
        ("jcf-2024", (2001, 2002, None)),
        ("fide-2024", (None, None, None)),
        ("us-chess", (2001, None, None)),
    ],
)
def test_of_fides_ratings_only_those_taken_over_are_left(book, kept):
    ledger = chess_ledger(BOOKS[book], 4, events=20)
    players = [
        player._replace(fide_standard=2001, fide_rapid=2002, fide_blitz=2003) for player in ledger.players
    ]
    ledger = replace(ledger, players=players)
    public = public_ledger(ledger, hidden_of(ledger), list_names(ledger, None))
    rated = {row.player_id for row in ledger.standings}
    found = {player.player_id: player[7:10] for player in public.players}
    assert {of for player, of in found.items() if player in rated} == {(None, None, None)}
    assert kept in {of for player, of in found.items() if player not in rated}
    assert all(
        of in (kept, (None, None, None), (2001, None, None), (None, 2002, None)) for of in found.values()
    )


def test_the_kind_of_a_membership_cannot_be_told():
    ledger = read_ledger(PROJECT / "examples" / "japan")
    assert {row.kind for row in ledger.memberships} == {ANNUAL, ONE_EVENT}
    public = public_ledger(ledger, (), list_names(ledger, None))
    window_of = ledger.pool.schedule.window_of
    by_ncs = {event.event_id for event in ledger.events if window_of(event).name < "2024-11"}
    days = {(event.starts, event.ends) for event in ledger.events if event.event_id not in by_ncs}
    for row in public.memberships:
        if row.event_id:
            assert row.kind == ONE_EVENT
            assert row.event_id in by_ncs
        else:
            assert row.kind == ANNUAL
            assert any(a <= row.valid_from <= row.valid_to <= b for a, b in days)


def test_signatures_and_comments_leave_the_rules_and_numbers_stay():
    reform = 'name = "K"\nfrom = 2025-01-01\n[set]\n"jcf.k_new" = 32\n[signed]\nby = ["A. B.", "C"]\non = 2024-12-01\n'
    pool = 'name = "P"\n# asked by A. B.\n[[edition]]\nrulebook = "ncs-2022"\nfrom = 2022-09-01\n[edition.settings]\nk_shared = false\n'
    plain = 'name   = "as it is"\n'
    files = public_rule_files({"reform.toml": reform, "pool.toml": pool, "plain.toml": plain})
    assert "A. B." not in "".join(files.values())
    assert files["plain.toml"] == plain
    read = {name: parse_toml(name, text.encode(), []) for name, text in files.items()}
    assert read["reform.toml"]["signed"] == {"by": ["officer 1", "officer 2"], "on": date(2024, 12, 1)}
    assert read["reform.toml"]["set"] == {"jcf.k_new": 32}
    assert read["pool.toml"] == parse_toml("pool.toml", pool.encode(), [])


VALUES = (
    st.text(max_size=9)
    | st.booleans()
    | st.integers(-999, 999)
    | st.dates()
    | st.lists(st.integers(), max_size=3)
)
DOCUMENTS = st.recursive(
    st.dictionaries(st.text(min_size=1, max_size=5), VALUES, max_size=3),
    lambda inner: st.dictionaries(st.text(min_size=1, max_size=5), VALUES | inner, max_size=3),
    max_leaves=6,
)


@given(DOCUMENTS, st.lists(DOCUMENTS, min_size=1, max_size=2))
def test_a_document_is_written_as_it_is_read(document, tables):
    whole = document | {"t": tables}
    assert parse_toml("x.toml", toml_document(whole).encode(), []) == whole


def test_go_players_by_id_and_none_who_came_later():
    ledger = go_ledger(BOOKS["pandanet"], 5)
    first, second = (game.ended.date() for game in (ledger.games[0], ledger.games[-1]))
    assert (first.year, first.month) == (second.year, second.month)
    later = ledger.games[0]._replace(
        game_id="later", ended=ledger.games[0].ended + timedelta(days=40), black="late"
    )
    with_later = replace(
        ledger,
        games=[*ledger.games, later],
        players=[*ledger.players, ledger.players[0]._replace(player_id="late", name="Late Comer")],
    )
    public = public_ledger(with_later, {ledger.players[0].player_id}, ["2025-08"])
    assert public.games == ledger.games
    assert [player.name for player in public.players] == [
        ledger.players[0].player_id,
        *(player.name for player in ledger.players[1:]),
    ]
    assert [player.declared for player in public.players] == [player.declared for player in ledger.players]
