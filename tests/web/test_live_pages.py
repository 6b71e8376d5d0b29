"""A Go server's pages as it stands now: players, the ranking, the adviser, who runs the service."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest
from django.utils.timezone import now
from office.live_pool import game as played
from office.live_pool import go_pool, play
from published_pools import EXAMPLES, hide
from repeated import entered_pool
from small_office import client, small_pool, visitor

from banzuke.core.fault import fault
from banzuke.core.go_facts import RANK_NAMES, GoGame
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import GoVoid, JournalEntry, QueuedGame
from banzuke.office.live import service_figures
from banzuke.office.live.game_queue import take_batch
from banzuke.office.live.live_ranking import PAGE
from banzuke.office.live.submission_queue import send
from banzuke.server.consumer import read_game
from banzuke.web.accounts.middleware import BY_ITSELF, USED

pytestmark = pytest.mark.django_db


@pytest.fixture
def server():
    return entered_pool("go", EXAMPLES / "go-server")


@pytest.fixture
def own_table(ledger_folder):
    folder = ledger_folder("go", "own")
    rows = [
        f'[[rank]]\nrank = "{name}"\ndown = {100 * at - 10}\nstart = {100 * at + 50}\n'
        + (f"up = {100 * at + 100}\n" if name != "9d+" else "")
        for at, name in enumerate(RANK_NAMES)
    ]
    (folder / "lines.toml").write_text("".join(rows), "utf-8")
    with (folder / "pool.toml").open("a", encoding="utf-8") as rules:
        rules.write('border_zone = "lines.toml"\n')
    standings = folder / "standings.csv"
    standings.write_text(standings.read_text("utf-8").replace("9900", "2550"), "utf-8")
    return enter_folder("own", folder, "test")


def read(address, lang="en", of=None, status=200, **asked):
    """The words of a page, tags left out."""
    answer = (of or visitor(lang)).get(address, asked)
    assert answer.status_code == status, answer.content[:300]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def player(player_id, lang="en", **asked):
    return read(f"/go/players/{player_id}/", lang, **asked)


@pytest.fixture
def many_a_page(monkeypatch):
    """All games of a player of the example on one page."""
    monkeypatch.setattr("banzuke.web.live.public_pages.PAGE", 50)


class TestPlayer:
    def test_the_place_and_how_far_the_lines_are(self, server):
        text = player("momiji_go")
        assert "Rank 1d+" in text
        assert "Rank points 14034" in text
        assert "To promotion 366 more points (at 14400)" in text
        assert "To demotion 234 points fewer (at 13800)" in text
        assert "The real server does not publish its table, so Banzuke uses its own. PN 4(1)" in text
        assert "The next rated game is game 321; its points are multiplied by 1.0. PN 3(6)" in text

    @pytest.mark.parametrize(
        ("lang", "said"),
        [
            ("en", "Regular terms These were the regular terms by the ranks before they changed"),
            ("ja", "正規の手合割 終局前1日以内に変わる前の段級位（黒2d、白3d）では正規の手合割だった。"),
        ],
    )
    def test_terms_that_were_regular_before_a_promotion(self, db, lang, said):
        pool = go_pool(("aoi", "2d", 14_750, 300), ("mio", "3d", 15_400, 300), ("ren", "2d", 14_500, 300))
        play(pool, played("up", 0, "aoi", "ren", "B"), played("G", 30, "aoi", "mio", "B", 0, -11))
        for address in ("/go/players/aoi/", "/go/players/mio/"):
            assert read(address, lang).count(said) == 1
        assert said not in read("/go/players/ren/", lang)
        page = read("/office/go/live/annul/", lang, client("officer", lang=lang), game="G")
        assert page.count(said) == 1

    def test_in_japanese(self, server):
        text = player("momiji_go", "ja")
        assert "昇格まで あと366点（14400点）" in text
        assert "実際のサーバーの表は公開されていないため、Banzuke独自の表を使っています。" in text
        assert "どの対局が対象になったか、その理由" in text
        assert "白 負け 対 hoshikuzu 1d · 置石なし、コミ：黒が0.5出す · 互角" in text

    def test_points_below_nothing_have_a_true_minus(self, server):
        assert "points fewer (at −200)" in player("kobune")
        assert "（−200点以下）" in player("kobune", "ja")

    def test_an_operators_own_table_is_named(self, own_table):
        assert "The lines are those of the operator's table lines.toml." in read("/own/players/ao/")
        text = office(own_table)
        assert "The lines are those of the operator's table lines.toml. PN 4(2)" in text
        assert "9d+ – 5090 5150" in text
        assert "17k 100 −10 50" in text

    def test_every_game_tells_both_sides_why(self, server, many_a_page):
        text = player("momiji_go")
        assert (
            "momiji_go Rated, −100 points × 1.0 = −100; 14134 → 14034 points, 1d+. PN 3(1) "
            "hoshikuzu Rated, +100 points × 1.2 = +120; 13881 → 14001 points, 1d+. PN 3(1)"
        ) in text
        assert (
            "momiji_go The opponent is not certified yet, so the game does not count as a rated game; the win brings +50 points; 14200 → 14250 points, "
            "1d+. PN 7(2)c yamabiko Rated, number 15 of 20; now 2k?. PN 6(1)"
        ) in text
        assert "reverse komi: White gives 5.5" in text

    def test_only_what_counted_or_did_not(self, server, many_a_page):
        counted, others = player("momiji_go", counted="yes"), player("momiji_go", counted="no")
        assert "Not rated, drawn or void. PN 2(3)" not in counted
        assert "Rated, −100 points" in counted
        assert "Not rated, drawn or void. PN 2(3)" in others
        assert "Rated, −100 points" not in others
        assert len(re.findall("G0\\d\\d\\d", counted + others)) == len(
            re.findall("G0\\d\\d\\d", player("momiji_go"))
        )

    def test_who_is_not_certified(self, server):
        assert re.search(
            r"Rated games to certification \d+ Rated games \d+ Now: \S+ \(provisional\)", player("hinata")
        )
        small_pool("go", "small")
        assert "Wins to 17k 3" in read("/small/players/beni/")
        assert "A professional (3p); no game is rated." in player("hakusan_pro")

    def test_games_a_page_at_a_time_newest_first(self, server):
        start = datetime(2026, 3, 1, tzinfo=UTC)
        games = [game(f"N{n:03}", start + timedelta(minutes=n)) for n in range(60)]
        send(server, games, "test")
        first = player("momiji_go")
        assert first.index("N059") < first.index("N048")
        assert "N047" not in first
        assert "earlier →" in first
        second = player("momiji_go", after="N048")
        assert second.index("N047") < second.index("N036")
        assert "N048" not in second
        assert "⇤ newest" in second

    def test_the_curve_steps_with_the_rank(self, server):
        html = visitor().get("/go/players/kazehaya/").content.decode()
        rows = re.findall(
            r'<th scope="row" data-x="\d+">[\d: -]+ (\S+)</th><td class="n">(-?\d+)</td>'
            r'<td class="n">(-?\d*)</td><td class="n">(-?\d*)</td>',
            html,
        )
        assert len(rows) > 5
        for rank, points, up, down in rows:
            assert int(down) < int(points) < int(up), rank
        assert len({up for _, _, up, _ in rows}) == len({rank for rank, _, _, _ in rows}) > 1

    def test_of_very_many_games_the_last_are_drawn_or_all_thinned_out(self, server):
        start = datetime(2026, 3, 1, tzinfo=UTC)
        send(
            server, [game(f"N{n:03}", start + timedelta(minutes=n), "BW"[n % 2]) for n in range(600)], "test"
        )
        address = "/go/players/momiji_go/"
        assert visitor().get(address).content.decode().count('<th scope="row" data-x=') == 200
        drawn = visitor().get(address, {"all": "1"}).content.decode()
        assert 100 < drawn.count('<th scope="row" data-x=') <= 400
        assert "All 622 games" in drawn

    def test_who_is_shown_by_id_only(self, ledger_folder):
        folder = ledger_folder("go", "hidden")
        players = folder / "players.csv"
        players.write_text(players.read_text("utf-8").replace("ao,ao,", "ao,Aoi Sora,"), "utf-8")
        pool = enter_folder("go", folder, "test")
        assert "Aoi Sora" in player("ao") + player("beni")
        hide(pool, "ao")
        assert "Aoi Sora" not in player("ao") + player("beni") + read("/go/ranking/")

    def test_nobody_and_no_such_game(self, server):
        read("/go/players/nobody/", status=404)
        read("/go/players/momiji_go/", status=404, after="none")

    def test_a_late_entry_of_others_is_seen_at_once(self, server):
        assert "320" in player("momiji_go")
        send(server, [game("N1", datetime(2026, 3, 1, tzinfo=UTC))], "test")
        assert "Rated games 321" in player("momiji_go")


def game(game_id, ended, result="B", black="momiji_go", white="hoshikuzu"):
    return GoGame(game_id, ended, black, white, result, 0, 13, 19, 100)


class TestRanking:
    def test_by_rank_and_points(self, server):
        text = read("/go/ranking/")
        assert (
            text.index("kazehaya") < text.index("shirahae") < text.index("momiji_go") < text.index("futaba")
        )
        assert "1 8d kazehaya 19242 656" in text

    def test_found_by_the_beginning_of_a_name(self, server):
        text = read("/go/ranking/", q="momi")
        assert "momiji_go" in text
        assert "kazehaya" not in text
        assert "Nobody on this ranking matches." in read("/go/ranking/", q="qqqq")

    def test_a_page_begins_after_a_player(self, server, monkeypatch):
        assert PAGE > 10
        monkeypatch.setattr("banzuke.office.live.live_ranking.PAGE", 10)
        first, last = read("/go/ranking/"), read("/go/ranking/", last="1")
        assert "after →" in first
        assert "futaba" not in first
        assert "← before" in last
        assert "suzukaze" in first
        assert "suzukaze" not in read("/go/ranking/", after="suzukaze")

    def test_of_a_pool_of_chess_there_is_none(self):
        small_pool("japan")
        read("/japan/ranking/", status=404)
        assert "Ranking now" not in read("/japan/")

    def test_the_pools_page_leads_to_it(self, server):
        assert 'href="/go/ranking/"' in visitor().get("/go/").content.decode()


def advice(lang="en", **asked):
    return read("/go/calculators/terms/", lang, **asked)


class TestAdviser:
    def test_two_players(self, server):
        text = advice(white="momiji_go", black="yuzuki")
        assert "momiji_go 1d+ takes White, yuzuki 1k+ takes Black." in text
        assert (
            "Black plays first, without handicap stones. White gives Black 5.5 points: reverse komi." in text
        )
        assert "White momiji_go 1d+ up +100 down −100" in text
        assert (
            "If White wins White momiji_go 1d+ Rated, +100 points × 1.0 = +100; 14034 → 14134 points, 1d+."
            in text
        )

    def test_in_japanese(self, server):
        text = advice("ja", white="momiji_go", black="yuzuki")
        assert "momiji_go 1d+が白番、yuzuki 1k+が黒番です。" in text
        assert "白が黒に5.5目を出します（逆コミ）。" in text

    def test_colours_the_other_way_round(self, server):
        text = advice(white="yuzuki", black="momiji_go", komi="-3.5")
        assert "momiji_go 1d+ takes White" in text
        assert "The answer below is for the colours you chose" in text
        assert "Exchange the colours" in text
        assert "White gives Black 3.5 points: reverse komi." in text
        assert "The stronger side is momiji_go 1d+." in text

    def test_without_given_terms_the_stronger_takes_white(self, server):
        asked = {"white": "yuzuki", "black": "momiji_go"}
        turned, straight = advice(**asked), advice(white=asked["black"], black=asked["white"])
        for text in (turned, straight):
            assert "momiji_go 1d+ takes White, yuzuki 1k+ takes Black." in text
            assert "White momiji_go 1d+ up +100 down −100" in text
            assert "Exchange the colours" not in text

    def test_each_sides_own_multiplier(self, server):
        text = advice(white="hoshikuzu", black="momiji_go", stones="0", komi="6.5")
        assert "× 1.2 = +120" in text
        assert "× 1.0 = −100" in text

    def test_ranks_alone(self, server):
        text = advice(white="3k", black="9k+")
        assert "3k takes White, 9k+ takes Black." in text
        assert "Black puts 6 stones before White's first move. Black gives White 0.5 points of komi." in text
        assert "Rated: up +100" in text

    def test_too_far_apart_is_not_rated(self, server):
        assert "Not rated, the difference in ranks is more than three. PN 1(5)e" in advice(
            white="9d", black="5k", stones="0", komi="6.5"
        )

    def test_against_who_is_not_certified(self, server):
        text = advice(white="momiji_go", black="5k?")
        assert "the win brings +50 points" in text
        assert "There are no regular terms" in advice(white="momiji_go", black="BC")

    @pytest.mark.parametrize(
        ("white", "black", "said"),
        [
            ("momiji_go", "nobody", "There is no player or rank “nobody”."),
            ("momiji_go", "momiji_go", "White and Black are the same player. Enter another."),
            ("momiji_go", "ki", "Nobody"),
            ("t", "momiji_go", "Several players match: "),
        ],
    )
    def test_who_is_not_found_is_said_at_the_field(self, server, white, black, said):
        text = advice(white=white, black="kitanohoshi" if black == "ki" else black)
        if black != "ki":
            assert said in text
            assert "takes White" not in text

    def test_a_name_is_enough(self, server):
        assert "momiji_go 1d+ takes White" in advice(white="momi", black="1k")


def office(pool, address="", of=None, **asked):
    return read(f"/office/{pool.slug}/live/{address}", of=of or client("officer", pool), **asked)


class TestOffice:
    def test_how_the_service_does(self, server):
        send(
            server,
            [game("N1", now() - timedelta(seconds=90)), game("N2", now() - timedelta(seconds=5))],
            "key",
        )
        service_figures.note_refusal(server, "igs", 422, fault("games", 1, "game_id", "other-game", id="N7"))
        text = office(server)
        assert (
            "Games in the last minute 1 In the last hour 2 In the last day 2 Entries waiting to be rated 0"
            in text
        )
        assert "407 games and 25 players in all." in text
        assert "igs 422" in text
        assert "N7" in text.partition("igs 422")[2]
        assert "The real server does not publish its table, so Banzuke uses its own. PN 4(2)" in text
        assert "9d+ – 20200 20600" in text
        assert "17k 400 −200 200" in text

    def test_games_of_the_queue_that_wait_and_that_were_refused(self, server):
        officer = client("officer", server)
        assert "queue" not in office(server, of=officer)
        QueuedGame.objects.create(pool=server, game="<b>")
        take_batch("go", read_game)
        QueuedGame.objects.create(pool=server, game="{}")
        text = office(server, of=officer)
        assert "Games in the queue Waiting: 1. Refused: 1." in text
        assert "banzuke consume go --refused shows them all" in text
        assert "This is no game as it is posted to the API. game: " in text

    def test_the_page_can_be_held_still(self, server):
        officer = client("officer", server)
        assert 'hx-trigger="every 10s"' in officer.get("/office/go/live/").content.decode()
        assert 'hx-trigger="every' not in officer.get("/office/go/live/?still").content.decode()

    def test_entries_wait_until_they_are_read(self, server):
        officer = client("officer", server)
        assert "Entries waiting to be rated 1" in office(server, of=officer)
        player("momiji_go")
        assert "Entries waiting to be rated 0" in office(server, of=officer)

    def test_the_desk_leads_to_it_in_pools_of_go_alone(self, server):
        small_pool("japan")
        desk = client("officer").get("/office/").content.decode()
        assert 'href="/office/go/live/"' in desk
        assert 'href="/office/japan/live/"' not in desk

    def test_a_game_is_annulled_with_a_reason(self, server):
        officer = client("officer", server)
        looked = office(server, "annul/", of=officer, game="G0383")
        assert "It can be taken back until a list is published with it." in looked
        done = officer.post("/office/go/live/annul/", {"game": "G0383", "why": "a bot played"})
        assert done["Location"] == "/office/go/live/annul/?game=G0383"
        text = read(done["Location"], of=officer)
        assert "The game is annulled." in text
        assert "a bot played" in text
        assert "games were rated again." in text
        assert re.search(r"momiji_go 1d\+ 1d\+ 14034 14134 320 → 319", text), text
        assert "not rated, drawn or void. PN 2(3)" in text
        (entry,) = JournalEntry.objects.filter(act="game-void")
        assert entry.what == {"game": "G0383", "why": "a bot played"}
        text = player("momiji_go")
        assert "Rated games 319" in text
        assert "G0383 annulled" in text

    def test_a_game_is_annulled_once(self, server):
        officer = client("officer", server)
        for _ in range(2):
            officer.post("/office/go/live/annul/", {"game": "G0383", "why": "a bot played"})
        assert GoVoid.objects.count() == JournalEntry.objects.filter(act="game-void").count() == 1

    def test_an_annulment_is_taken_back(self, server):
        officer = client("officer", server)
        officer.post("/office/go/live/annul/", {"game": "G0383", "why": "a bot played"})
        link = "/office/go/live/annul/?game=G0383#restore"
        assert link in client("administrator").get("/office/journal/").content.decode()
        assert "Take the annulment back" in read("/office/go/live/annul/?game=G0383", of=officer)
        said = {"game": "G0383", "why": "no bot"}
        page = officer.post("/office/go/live/restore/", said, follow=True).content.decode()
        assert "The game counts again." in page
        assert "Annul the game" in page
        assert (
            "is not annulled" in officer.post("/office/go/live/restore/", said, follow=True).content.decode()
        )

    def test_without_a_reason_or_of_no_game_nothing_is_annulled(self, server):
        officer = client("officer", server)
        without = officer.post("/office/go/live/annul/", {"game": "G0383", "why": " "})
        unknown = officer.post("/office/go/live/annul/", {"game": "none", "why": "x"})
        assert b"errorlist" in without.content
        assert "There is no game none in this pool." in unknown.content.decode()
        assert not GoVoid.objects.exists()

    def test_a_page_that_asks_by_itself_does_not_keep_an_officer_signed_in(self, server):
        officer = client("officer", server)
        officer.get("/office/go/live/")
        session = officer.session
        session[USED] -= 100
        session.save()
        officer.get("/office/go/live/", headers={BY_ITSELF: "1", "HX-Request": "true"})
        assert officer.session[USED] == session[USED]
        officer.get("/office/go/live/")
        assert officer.session[USED] > session[USED]

    def test_who_is_signed_out_is_led_to_the_door_by_the_whole_page(self, server):
        part = {"HX-Request": "true", "HX-Current-URL": "http://testserver/office/go/live/"}
        answer = visitor().get("/office/go/live/", headers=part)
        assert answer["HX-Redirect"] == "/accounts/login/?next=/office/go/live/"

    def test_of_very_many_whom_it_moved_the_most_moved_are_told(self, server, monkeypatch):
        monkeypatch.setattr("banzuke.office.live.pool_events.MOST_SHOWN", 2)
        officer = client("officer", server)
        officer.post("/office/go/live/annul/", {"game": "G0112", "why": "x"})
        text = office(server, "annul/", of=officer, game="G0112")
        assert "56 games were rated again." in text
        assert "aosagi" in text
        assert "And 3 more, whose points moved less." in text
