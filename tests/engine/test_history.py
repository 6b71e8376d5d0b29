"""The fold of the rule books over a chess pool's batches: lists, editions, corrections, openings."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from banzuke.core.facts import Event, Game, Membership, Opening, Player
from banzuke.core.rating import Rating
from banzuke.core.registry import BOOKS
from banzuke.engine.history import UnknownListError, history, list_names, opening
from banzuke.ledger.folder import ChessLedger
from banzuke.ledger.pool_rules import EditionInForce, Pool
from banzuke.rulebooks.pandanet.ranks import default_zone

ALWAYS = (date(2000, 1, 1), date(2099, 12, 31))


def day(text):
    return date.fromisoformat(text) if text else None


def edition(name, start="2000-01-01", **settings):
    book = BOOKS[name]
    return EditionInForce(book, day(start), book.settings(**settings), "", default_zone())


NCS = edition("ncs-2022", "2022-09-01", fee_required=False)
JCF = edition("jcf-2024", "2024-10-01")
HAKODATE = edition("hakodate")
FIDE = edition("fide-2024", "2024-03-01")


def event(event_id, reported, starts=None, ends=None, **facts):
    """Played the day before it was reported, at 90 minutes, unless said otherwise."""
    first = day(starts) if starts else day(reported) - timedelta(days=1)
    for name in ("added", "struck"):
        facts[name] = day(facts.get(name))
    known = {"base_minutes": 90} | facts
    return Event(event_id, event_id, first, day(ends) if ends else first, day(reported), **known)


def ledger(editions, events, games, standings=(), *, players=None, memberships=None):
    """`games` has texts such as `A 1-0 B` by event id, in rounds 1, 2, ...; all are annual members."""
    table = {}
    for event_id, texts in games.items():
        rows = []
        for number, text in enumerate(texts, 1):
            white, result, black = text.split()
            rows.append(Game(event_id, number, white, black, result))
        table[event_id] = rows
    names = sorted({name for rows in table.values() for game in rows for name in (game.white, game.black)})
    players = players or [Player(name, name) for name in names]
    memberships = memberships or [Membership(name, "annual", *ALWAYS) for name in names]
    return ChessLedger(
        Pool("Pool", tuple(editions)), players, [], memberships, list(events), table, list(standings)
    )


def rated(of, until=None):
    return list(history(of, list_names(of, until)))


def ratings(of, until=None, speed="standard"):
    """What each list says: its name, and the ratings by player."""
    return {
        one.batch.name: {
            player: rating.value for player, rating in sorted(one.outcome.standings.ratings[speed].items())
        }
        for one in rated(of, until)
    }


def verdicts(of):
    return {
        one.batch.name: [line.verdict for lines in one.outcome.events for line in lines.lines]
        for one in rated(of)
    }


A, B = Opening("A", 1600, 50, "standard"), Opening("B", 1600, 50, "standard")


class TestOpening:
    def test_the_ratings_that_a_pool_opens_with(self):
        rows = [
            Opening("A", 1600, 50, "standard", 1700, True),
            Opening("A", 1500, 3, "rapid", None, False),
            Opening("B", 1400, 0, "rapid"),
        ]
        standings = opening(ledger([NCS], [], {}, rows))
        assert standings.ratings == {
            "standard": {"A": Rating(1600, 50, 1700, earned=True)},
            "rapid": {"A": Rating(1500, 3, 1500, earned=False), "B": Rating(1400, 0, 1400, earned=False)},
        }
        assert standings.waiting == {"standard": {}, "rapid": {}}


class TestListNames:
    def months(self, *reported):
        return ledger([NCS], [event(str(n), text) for n, text in enumerate(reported)], {})

    def test_every_month_from_the_first_report_to_the_last(self):
        of = self.months("2024-03-21", "2024-01-20")
        assert list_names(of, None) == ["2024-02", "2024-03", "2024-04", "2024-05"]

    def test_struck_reports_count_too(self):
        of = ledger([NCS], [event("E", "2024-01-10"), event("F", "2024-03-10", struck="2024-03-12")], {})
        assert list_names(of, None) == ["2024-02", "2024-03", "2024-04"]

    def test_until(self):
        of = self.months("2024-01-20", "2024-03-21")
        assert list_names(of, "2024-03") == ["2024-02", "2024-03"]
        assert list_names(of, "2024-07")[-2:] == ["2024-06", "2024-07"]
        assert list_names(of, "2024-01") == []

    def test_no_events_no_lists(self):
        assert list_names(self.months(), None) == []
        assert list_names(self.months(), "2024-03") == []

    @pytest.mark.parametrize("until", ["E", "2024", "2024-13", "2024-03-01", "2200-01", ""])
    def test_an_until_that_is_no_month(self, until):
        with pytest.raises(UnknownListError) as refused:
            list_names(self.months("2024-01-20"), until)
        assert (refused.value.name, refused.value.known) == (until, "2024-02")

    def test_the_last_year_is_2199(self):
        assert list_names(self.months("2024-01-20"), "2199-12")[-1] == "2199-12"

    def test_fide_lists_follow_the_last_days(self):
        events = [
            event("E", "2025-11-20", starts="2025-10-24", ends="2025-10-29"),
            event("F", "2025-11-20", starts="2025-10-30"),
        ]
        assert list_names(ledger([FIDE], events, {}), None) == ["2025-11", "2025-12"]

    def test_a_clubs_lists_are_its_events_in_the_order_of_their_last_days(self):
        events = [
            event("C", "2024-05-03", starts="2024-05-01", ends="2024-05-02"),
            event("B", "2024-05-04", starts="2024-05-02"),
            event("A", "2024-05-04", starts="2024-05-03"),
            event("D", "2024-05-04", starts="2024-05-01", struck="2024-06-01"),
        ]
        of = ledger([HAKODATE], events, {})
        assert list_names(of, None) == ["B", "C", "A"]
        assert list_names(of, "C") == ["B", "C"]
        with pytest.raises(UnknownListError) as refused:
            list_names(of, "D")
        assert (refused.value.name, refused.value.known) == ("D", "B, C, A")

    def test_the_last_five_events_are_named(self):
        of = ledger([HAKODATE], [event(name, f"2024-05-1{n}") for n, name in enumerate("ABCDEF")], {})
        with pytest.raises(UnknownListError, match=r"^X$") as refused:
            list_names(of, "X")
        assert refused.value.known == "B, C, D, E, F"


class TestMonths:
    EVENTS = (event("E", "2024-02-10"), event("F", "2024-04-20"))
    GAMES = {"E": ["A 1-0 B"], "F": ["B 1-0 A"]}  # noqa: RUF012 - never changed

    def test_each_list_is_rated_on_the_one_before(self):
        assert ratings(ledger([NCS], self.EVENTS, self.GAMES, [A, B])) == {
            "2024-03": {"A": 1610, "B": 1590},
            "2024-04": {"A": 1610, "B": 1590},
            "2024-05": {"A": 1599, "B": 1601},  # 47 of 100 for B: 10.6
        }

    def test_a_list_knows_its_window_and_what_stood_before(self):
        first, second, third = rated(ledger([NCS], self.EVENTS, self.GAMES, [A, B]))
        assert (first.batch.published, first.batch.closes) == (date(2024, 3, 1), date(2024, 2, 20))
        assert [one.batch.opens_edition for one in (first, second, third)] == [True, False, False]
        assert second.batch.entries == []
        assert first.before["standard"]["A"].value == 1600
        assert third.before == first.outcome.standings.ratings

    def test_until_gives_the_leading_lists(self):
        of = ledger([NCS], self.EVENTS, self.GAMES, [A, B])
        assert ratings(of, "2024-04") == dict(list(ratings(of).items())[:2])

    def test_an_event_without_a_game(self):
        of = ledger([NCS], [event("E", "2024-02-10")], {}, [A, B])
        (one,) = rated(of)
        assert [lines.lines for lines in one.outcome.events] == [[]]

    def test_events_by_id_and_games_by_round_and_white(self):
        of = ledger(
            [NCS], [event("F", "2024-02-10"), event("E", "2024-02-09")], {"E": ["A 1-0 B"], "F": []}, [A]
        )
        of.games["F"] = [
            Game("F", 10, "B", "A", "1-0"),
            Game("F", 2, "C", "D", "1-0"),
            Game("F", 2, "A", "B", "1-0"),
        ]
        of.players.extend(Player(name, name) for name in "CD")
        (one,) = rated(of)
        assert [entry.event.event_id for entry in one.batch.entries] == ["E", "F"]
        assert [(game.round, game.white) for game in one.batch.entries[1].games] == [
            (2, "A"),
            (2, "C"),
            (10, "B"),
        ]


class TestEditions:
    """A list is made by the edition in force on the last day of its window."""

    @pytest.mark.parametrize(("reported", "name"), [("2024-09-20", "ncs-2022"), ("2024-09-21", "jcf-2024")])
    def test_the_first_list_of_jcf_is_that_of_november_2024(self, reported, name):
        of = ledger([NCS, JCF], [event("E", reported)], {"E": ["A 1-0 B"]}, [A, B])
        (one,) = rated(of)
        assert (one.batch.name, one.edition.book.name) == {
            "ncs-2022": ("2024-10", name), "jcf-2024": ("2024-11", name),
        }[name]  # fmt: skip

    def test_its_first_list_raises_to_its_floor(self):
        of = ledger(
            [NCS, JCF],
            [event("E", "2024-09-10"), event("F", "2024-11-10")],
            {"E": ["A 1-0 B"], "F": ["A 1-0 B"]},
            [Opening("A", 900, 50, "standard"), Opening("B", 380, 50, "standard")],
        )
        assert ratings(of) == {
            "2024-10": {"A": 902, "B": 400},  # K 20, .92
            "2024-11": {"A": 1000, "B": 1000},
            "2024-12": {"A": 1010, "B": 1000},
        }
        assert [one.batch.opens_edition for one in rated(of)] == [True, True, False]

    def test_the_same_book_again_with_other_settings(self):
        later = edition("ncs-2022", "2024-03-20", fee_required=True)
        of = ledger(
            [NCS, later],
            [event("E", "2024-02-10"), event("F", "2024-03-10"), event("G", "2024-04-10")],
            {"E": ["A 1-0 B"], "F": ["A 1-0 B"], "G": ["A 1-0 B"]},
            [A, B],
        )
        assert verdicts(of) == {"2024-03": ["rated"] * 2, "2024-04": ["fee"] * 2, "2024-05": ["fee"] * 2}


class TestCorrections:
    """A list of day P knows the inquiries made before P + 90 days; 2024-03-01 + 90 is 2024-05-30."""

    def run(self, **row):
        """An event struck or added by an inquiry, and a later one without corrections."""
        events = [event("E", "2024-02-10", **row), event("F", "2024-04-10")]
        return verdicts(ledger([NCS], events, {"E": ["A 1-0 B"], "F": ["A 1-0 B"]}, [A, B]))

    @pytest.mark.parametrize(("inquiry", "stands"), [("2024-05-29", False), ("2024-05-30", True)])
    def test_struck_in_time_or_frozen(self, inquiry, stands):
        assert self.run(struck=inquiry)["2024-03"] == ["rated"] * (2 * stands)

    @pytest.mark.parametrize(("inquiry", "stands"), [("2024-05-29", True), ("2024-05-30", False)])
    def test_added_in_time_or_too_late(self, inquiry, stands):
        assert self.run(added=inquiry)["2024-03"] == ["rated"] * (2 * stands)

    def test_both(self):
        assert self.run(added="2024-03-05", struck="2024-05-01")["2024-03"] == []
        assert self.run(added="2024-03-05", struck="2024-06-01")["2024-03"] == ["rated"] * 2

    @pytest.mark.parametrize(("inquiry", "rows"), [("2024-05-29", ["1/2-1/2"]), ("2024-05-30", ["1-0"])])
    def test_a_games_result(self, inquiry, rows):
        of = ledger([NCS], [event("E", "2024-02-10")], {"E": ["A 1-0 B", "A 1/2-1/2 B"]}, [A, B])
        wrong, right = of.games["E"]
        of.games["E"] = [wrong._replace(struck=day(inquiry)), right._replace(round=1, added=day(inquiry))]
        (one,) = rated(of)
        assert [game.result for game in one.batch.entries[0].games] == rows

    @pytest.mark.parametrize(("inquiry", "verdict"), [("2024-05-29", "rated"), ("2024-05-30", "member")])
    def test_a_membership(self, inquiry, verdict):
        of = ledger([NCS], [event("E", "2024-02-10")], {"E": ["A 1-0 B"]}, [A, B])
        of.memberships[0] = of.memberships[0]._replace(added=day(inquiry))
        assert verdicts(of) == {"2024-03": [verdict] * 2}

    @pytest.mark.parametrize(("inquiry", "k"), [("2024-05-29", 40), ("2024-05-30", 20)])
    def test_a_birth_date(self, inquiry, k):
        """Each list knows the player's row that stands for it."""
        players = [
            Player("A", "A", struck=day(inquiry)),
            Player("A", "A", birth_date=date(2015, 5, 5), added=day(inquiry)),
            Player("B", "B"),
        ]
        of = ledger([NCS], [event("E", "2024-02-10")], {"E": ["A 1-0 B"]}, [A, B], players=players)
        (one,) = rated(of)
        assert one.outcome.events[0].lines[0].k.value == k

    @pytest.mark.parametrize(
        ("row", "by_list"),
        [
            ({"added": date(2024, 7, 1)}, {"2024-03": ["member"] * 2, "2024-05": ["rated"] * 2}),
            ({"struck": date(2024, 7, 1)}, {"2024-03": ["rated"] * 2, "2024-05": ["member"] * 2}),
        ],
    )
    def test_each_list_has_its_own_register(self, row, by_list):
        """Known to the list of May (until 2024-07-30), and not to that of March."""
        events = [event("E", "2024-02-10"), event("F", "2024-04-10")]
        of = ledger([NCS], events, {"E": ["A 1-0 B"], "F": ["A 1-0 B"]}, [A, B])
        of.memberships[0] = of.memberships[0]._replace(**row)
        assert verdicts(of) == {"2024-04": []} | by_list

    @pytest.mark.parametrize(
        ("row", "ks"),
        [({"added": date(2024, 7, 1)}, [20, 40]), ({"struck": date(2024, 7, 1)}, [40, 20])],
    )
    def test_each_list_has_its_own_players(self, row, ks):
        events = [event("E", "2024-02-10"), event("F", "2024-04-10")]
        players = [Player("A", "A", birth_date=date(2015, 5, 5), **row), Player("B", "B")]
        of = ledger([NCS], events, {"E": ["A 1-0 B"], "F": ["A 1-0 B"]}, [A, B], players=players)
        march, _, may = rated(of)
        assert [one.outcome.events[0].lines[0].k.value for one in (march, may)] == ks

    def test_a_player_struck_with_nothing_but_an_id_left(self):
        players = [
            Player("A", "ADA", birth_date=date(2015, 5, 5), struck=date(2024, 3, 1)),
            Player("B", "BEN", added=date(2030, 1, 1)),
        ]
        of = ledger([NCS], [event("E", "2024-02-10")], {"E": ["A 1-0 B"]}, [A, B], players=players)
        (one,) = rated(of)
        assert one.batch.register.players == {"A": Player("A", "ADA"), "B": Player("B", "BEN")}
        assert one.outcome.events[0].lines[0].k.value == 20

    def test_a_frozen_mistake_is_not_carried_over(self):
        """Struck too late for March: May is made again from March's figures, without the game."""
        events = [event("E", "2024-02-10"), event("F", "2024-04-10", struck="2024-07-01")]
        of = ledger([NCS], events, {"E": ["A 1-0 B"], "F": ["A 1-0 B"]}, [A, B])
        assert ratings(of) == {name: {"A": 1610, "B": 1590} for name in ("2024-03", "2024-04", "2024-05")}

    @pytest.mark.parametrize(
        ("struck", "by_list"),
        [
            # E was reported for March; an inquiry says it was reported for May.
            ("2024-05-29", {"2024-03": [], "2024-04": [], "2024-05": ["rated"] * 2}),
            # Too late for March, in time for May: the game entered March and comes no second time.
            ("2024-05-30", {"2024-03": ["rated"] * 2, "2024-04": [], "2024-05": []}),
        ],
    )
    def test_a_game_that_entered_gets_no_line_in_a_later_list(self, struck, by_list):
        events = [
            event("E", "2024-02-10", struck=struck),
            event("E", "2024-04-10", starts="2024-02-09", added=struck),
        ]
        assert verdicts(ledger([NCS], events, {"E": ["A 1-0 B"]}, [A, B])) == by_list

    def test_one_that_did_not_enter_may_still(self):
        events = [
            event("E", "2024-02-10", ruling="exclude", struck="2024-05-30"),
            event("E", "2024-04-10", starts="2024-02-09", added="2024-05-30"),
        ]
        assert verdicts(ledger([NCS], events, {"E": ["A 1-0 B"]}, [A, B])) == {
            "2024-03": ["ruling"] * 2, "2024-04": [], "2024-05": ["rated"] * 2,
        }  # fmt: skip

    def test_games_are_told_apart_by_round_and_pair(self):
        events = [
            event("E", "2024-02-10", struck="2024-05-30"),
            event("E", "2024-04-10", starts="2024-02-09", added="2024-05-30"),
        ]
        of = ledger([NCS], events, {"E": ["A 1-0 B", "B +/- A"]}, [A, B])
        assert verdicts(of)["2024-05"] == ["forfeit"] * 2  # round 2 did not enter
        of = ledger([NCS], events, {"E": ["A 1-0 B"]}, [A, B])
        game = of.games["E"][0]
        of.games["E"].append(game._replace(white="B", black="A", added=date(2024, 5, 30)))
        assert verdicts(of)["2024-05"] == []  # the same pair and round with colours changed

    @pytest.mark.parametrize("verdict", ["first", "unrated"])
    def test_games_against_unrated_entered_too(self, verdict):
        events = [
            event("E", "2024-02-10", struck="2024-05-30"),
            event("E", "2024-04-10", starts="2024-02-09", added="2024-05-30"),
        ]
        letter = edition("ncs-2022", "2022-09-01", fee_required=False, rate_against_unrated=False)
        found = verdicts(ledger([letter], events, {"E": ["A 1-0 B"]}, [A] if verdict == "unrated" else []))
        assert found["2024-03"][0] == verdict
        assert found["2024-05"] == []

    def test_books_without_the_rule_take_what_is_not_struck(self):
        events = [event("E", "2024-02-10", struck="2034-01-01"), event("F", "2024-03-10", added="2034-01-01")]
        of = ledger([HAKODATE], events, {"E": ["A 1-0 B"], "F": ["A 1-0 B"]}, [])
        assert verdicts(of) == {"F": ["first"] * 2}
        events = [event("E", "2025-11-10", struck="2034-01-01"), event("F", "2025-11-10", added="2034-01-01")]
        of = ledger([FIDE], events, {"E": ["A 1-0 B"], "F": ["A 1-0 B"]}, [A, B])
        assert verdicts(of) == {"2025-12": ["rated"] * 2}


class TestMemberships:
    def run(self, *memberships, edition=NCS):
        of = ledger([edition], [event("E", "2024-02-10")], {"E": ["A 1-0 B"]}, [A, B])
        rest = [Membership("B", "annual", *ALWAYS)]
        return verdicts(
            ledger([edition], of.events, {"E": ["A 1-0 B"]}, [A, B], memberships=[*memberships, *rest])
        )

    def test_annual_and_for_the_event(self):
        play = date(2024, 2, 9)
        assert self.run(Membership("A", "annual", play, play)) == {"2024-03": ["rated"] * 2}
        assert self.run(Membership("A", "event", play, play, "E")) == {"2024-03": ["rated"] * 2}
        assert self.run(Membership("A", "event", play, play, "F")) == {"2024-03": ["member"] * 2}

    def test_several_spans(self):
        play, other = date(2024, 2, 9), date(2023, 1, 1)
        for kind, of in (("annual", ""), ("event", "E")):
            spans = [Membership("A", kind, other, other, of), Membership("A", kind, play, play, of)]
            assert self.run(*spans) == self.run(*reversed(spans)) == {"2024-03": ["rated"] * 2}

    def test_fide_and_the_club_ask_nobody(self):
        events = [event("E", "2025-11-10")]
        nobody = [Membership("X", "annual", *ALWAYS)]
        of = ledger([FIDE], events, {"E": ["A 1-0 B"]}, [A, B], memberships=nobody)
        assert verdicts(of) == {"2025-12": ["rated"] * 2}


class TestFide:
    def test_an_event_is_rated_on_the_list_in_force_when_it_began(self):
        """E moves November; F began in October and ends in November: rated on the list before both."""
        events = [
            event("E", "2025-10-20", starts="2025-10-10"),
            event("F", "2025-11-20", starts="2025-10-30", ends="2025-11-05"),
            event("G", "2025-11-20", starts="2025-11-01", ends="2025-11-05"),
        ]
        of = ledger([FIDE], events, {name: ["A 1-0 B"] for name in "EFG"}, [A, B])
        november, december = rated(of)
        assert ratings(of) == {
            "2025-11": {"A": 1610, "B": 1590},
            "2025-12": {"A": 1629, "B": 1571},
        }  # 10 + 9.4
        own = {lines.event.event_id: lines.lines[0].own for lines in december.outcome.events}
        assert own == {"F": 1600, "G": 1610}
        assert (november.batch.published, november.batch.closes) == (date(2025, 11, 1), date(2025, 10, 29))

    def test_on_no_later_list_than_that_one(self):
        """A long event goes by the list of its first day, two lists back."""
        events = [
            event("E", "2025-10-20", starts="2025-10-10"),
            event("F", "2025-11-20", starts="2025-11-10"),
            event("G", "2025-12-20", starts="2025-11-02", ends="2025-12-15"),
        ]
        of = ledger([FIDE], events, {name: ["A 1-0 B"] for name in "EFG"}, [A, B])
        january = rated(of)[-1]
        assert january.batch.name == "2026-01"
        assert january.outcome.events[0].lines[0].own == 1610

    def test_before_all_lists_the_opening_serves(self):
        events = [
            event("E", "2025-10-20", starts="2025-10-10"),
            event("F", "2025-12-20", starts="2025-09-10", ends="2025-12-10"),
        ]
        of = ledger([FIDE], events, {name: ["A 1-0 B"] for name in "EF"}, [A, B])
        assert rated(of)[-1].outcome.events[0].lines[0].own == 1600

    def test_the_settings_of_the_edition_in_force(self):
        capped = edition("fide-2024", "2025-11-20", cap_always=True)
        events = [
            event("E", "2025-10-20", starts="2025-10-10"),
            event("F", "2025-11-20", starts="2025-11-10"),
        ]
        strong = [Opening("A", 2700, 900, "standard"), Opening("B", 2000, 900, "standard")]
        of = ledger([FIDE, capped], events, {name: ["A 1-0 B"] for name in "EF"}, strong)
        one, other = rated(of)
        assert [made.outcome.events[0].lines[0].difference for made in (one, other)] == [700, 400]


class TestClub:
    def test_each_event_is_rated_on_the_one_before(self):
        events = [event("F", "2024-05-03"), event("E", "2024-05-05")]
        standings = [Opening("A", 1500, 20), Opening("B", 1500, 20)]
        of = ledger([HAKODATE], events, {"E": ["A 1-0 B"], "F": ["A 1-0 B"]}, standings)
        assert ratings(of, speed="") == {
            "F": {"A": 1516, "B": 1484},
            "E": {"A": 1531, "B": 1469},
        }  # 16 - 1.28
        assert ratings(of, "F", speed="") == {"F": {"A": 1516, "B": 1484}}
        first, second = rated(of)
        assert (first.batch.published, first.batch.closes) == (date(2024, 5, 2), date(2024, 5, 2))
        assert first.batch.register.players == {name: Player(name, name) for name in "AB"}
        assert second.before == first.outcome.standings.ratings

    def test_the_settings_of_the_edition_in_force(self):
        later = edition("hakodate", "2024-05-04", unrated_opponent=1000)
        events = [event("E", "2024-05-04"), event("F", "2024-05-05")]
        of = ledger([HAKODATE, later], events, {"E": ["A 1-0 B"], "F": ["C 1-0 D"]}, [])
        assert ratings(of, speed="")["F"] == {"A": 1900, "B": 1100, "C": 1400, "D": 600}
