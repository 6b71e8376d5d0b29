"""A player's page: every figure on it is what `banzuke rate` makes of the same ledger, and nothing is left out."""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from datetime import date
from html import unescape

import pytest
from django.utils.timezone import localdate
from game_of_today import rated_today
from web.published_pools import EXAMPLES, hide, published_pool
from web.small_office import visitor

from banzuke.core.decimals import half_sign
from banzuke.database.book_reader import read_book
from banzuke.database.book_writer import Act, new_entry
from banzuke.database.ledger_folders import enter_folder
from banzuke.database.models import Line
from banzuke.engine.rating_run import rate_ledger
from banzuke.exchange.player_identities import Decision
from banzuke.ledger.folder import read_ledger
from banzuke.office.inbox import reports
from banzuke.office.inbox.receiving import Sender, receive
from banzuke.office.jobs import coming_jobs, job_queue
from banzuke.office.journal import Actor
from banzuke.office.lists import list_index
from banzuke.office.lists.publishing import publish

pytestmark = pytest.mark.django_db
COUNTED = ("rated", "first")
OFFICER = Actor("officer")


def page(address, lang="en"):
    answer = visitor(lang).get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def text(html):
    """Without markup, and without what is only spoken."""
    seen = re.sub('<span class="sr">.*?</span>', "", html, flags=re.DOTALL)
    return " ".join(unescape(re.sub("<[^>]+>", " ", seen)).split())


def rated_files(folder, out):
    rate_ledger(read_ledger(folder), out)
    files = []
    for name in ("lists.csv", "changes.csv"):
        with (out / name).open(encoding="utf-8", newline="") as rows:
            files.append(list(csv.DictReader(rows)))
    return files


def signed(value):
    return f"+{value}" if not value.startswith("-") else f"−{value[1:]}"


def total(values):
    """A sum of changes as the page prints it; blank for none."""
    if not values:
        return ""
    hundredths = sum(round(float(value) * 100) for value in values)
    size = f"{abs(hundredths) / 100:.2f}".rstrip("0").rstrip(".")
    return f"±{size}" if not hundredths else f"{'+' if hundredths > 0 else '−'}{size}"


def figures(section):
    """The large figures of a section by their names."""
    pairs = re.findall(r"<div><dt>(.*?)</dt><dd>(.*?)</dd></div>", section, re.DOTALL)
    return {text(name): text(value) for name, value in pairs}


def sections(html):
    """The speeds with a rating, in order: what stands under each heading."""
    return re.findall(r'<section aria-labelledby="now-(\w+)">(.*?)</section>', html, re.DOTALL)


def expected_figures(row, rows):
    """What lists.csv says of a player: rating, place among how many, games, peak."""
    higher = sum(int(other["rating"]) > int(row["rating"]) for other in rows)
    change = row["change"] and (f" {signed(row['change'])}" if row["change"] != "0" else " ±0")
    return {
        "Rating": row["rating"] + change,
        "Place": f"{higher + 1} / {len(rows)}",
        "Games": row["games"],
        "Peak": row["peak"],
    }


def expected_events(changes):
    """What changes.csv says of a player's events: all games played, those that count, the change."""
    of_event = defaultdict(list)
    for line in changes:
        of_event[line["list"], line["event_id"], line["speed"]].append(line)
    found = {}
    for (_, event, _), lines in of_event.items():
        scores = [float(line["score"]) for line in lines if line["score"]]
        counted = sum(line["verdict"] in COUNTED for line in lines)
        change = total([line["change"] for line in lines if line["change"]])
        score = f"{half_sign(int(2 * sum(scores)))} / {len(scores)}"
        found.setdefault(event, []).append((score, str(counted), change))
    return found


def shown_events(html):
    found = {}
    table = html.split('id="events"')[1].split("</table>")[0] if 'id="events"' in html else ""
    for row in re.findall(r'<tr><th scope="row">.*?</tr>', table, re.DOTALL):
        (event,) = re.findall(r'/events/([^"/]+)/"', row)
        cells = {name: text(cell) for name, cell in re.findall(r'data-label="([^"]+)">(.*?)</td>', row)}
        reasons = [int(n) for n in re.findall(r"(\d+) games? not counted", text(row))]
        _, _, games = cells["Score"].partition(" / ")
        found.setdefault(event, []).append((cells["Score"], cells["Counted games"], cells["Change"]))
        forfeits = sum(int(n) for n in re.findall(r"(\d+) games? not counted: not played", text(row)))
        assert int(cells["Counted games"]) + sum(reasons) - forfeits == int(games), event
    return found


def published_until(name, last):
    """A pool with an example's ledger and its lists to that one published."""
    pool = enter_folder(name, EXAMPLES / name, "test")
    publish(pool, list_index.names_of(read_book(pool))[last], OFFICER, date(2030, 1, 1))
    return pool


def walk(name, out, most=None):
    """Compare the pages of an example's players with the files; the number of figures compared."""
    published_pool(name)
    ledger = read_ledger(EXAMPLES / name)
    lists, changes = rated_files(EXAMPLES / name, out)
    last = lists[-1]["list"]
    ids = sorted({player.player_id for player in ledger.players})
    best = max((row for row in lists if row["list"] == last), key=lambda row: int(row["rating"]))["player_id"]
    lines = rated_today(ledger, [(player, best) for player in ids if player != best], localdate())
    compared = 0
    for player in ids[:most]:
        html = page(f"/{name}/players/{player}/")
        own = [row for row in lists if row["player_id"] == player]
        newest = {row["speed"]: row for row in own}
        shown = {"" if speed == "all" else speed: figures(part) for speed, part in sections(html)}
        rated = {speed: found for speed, found in shown.items() if "Rating" in found}
        assert set(rated) == set(newest), player
        for speed, row in newest.items():
            among = [one for one in lists if (one["list"], one["speed"]) == (row["list"], speed)]
            found = rated[speed] | {"Place": re.sub(" (club|juniors|seniors):.*", "", rated[speed]["Place"])}
            wanted = expected_figures(row, among)
            assert {key: found.get(key, "") for key in wanted} == wanted, (player, speed)
            k = lines[speed, player].k if player != best else None
            assert player == best or found.get("K of the next game") == (k and str(k.value)), (player, speed)
            compared += len(wanted) + 1
        wanted = expected_events([line for line in changes if line["player_id"] == player])
        found = shown_events(html)
        assert {event: sorted(rows) for event, rows in found.items()} == {
            event: sorted(rows) for event, rows in wanted.items()
        }, player
        compared += 3 * len(wanted)
    return compared


def test_some_pages_of_an_example(tmp_path):
    assert walk("japan", tmp_path, 3) > 60


@pytest.mark.slow
@pytest.mark.parametrize("name", ["japan", "hakodate", "us-championship-2025"])
def test_every_page_of_the_examples(name, tmp_path):
    assert walk(name, tmp_path) > 90


class TestWhatIsNotPublished:
    @pytest.fixture
    def japan(self):
        """The example with two lists less, an event that waits for its list, and a report that waits."""
        pool = published_until("japan", -3)
        sender = Sender(Actor("club"), None, "C01", "upload")
        said = {"reported": date(2025, 5, 2), "applied": date(2025, 4, 1), "speed": "standard"}
        data = (EXAMPLES / "hinoki-spring.trf").read_bytes()
        accepted = receive(pool, [("a.trf", data)], said | {"organiser": "F01"}, sender)
        reports.accept(accepted, OFFICER, date(2025, 5, 2))
        waiting = receive(
            pool, [("b.trf", data.replace(b"Spring", b"Autumn").replace(b"90 min", b"slowly"))], {}, sender
        )
        reports.decide(waiting, [Decision("b.trf", 6, "HAYASHI Haruto", "J004")], OFFICER)
        return pool

    def test_the_rating_if_the_list_closed_today(self, japan):
        html = page("/japan/players/J004/")
        assert "closed now" not in html
        coming_jobs.start_due()
        job_queue.work_off()
        html = page("/japan/players/J004/")
        wanted = japan.coming.rows.get(player_id="J004", speed="standard")
        (_, standard), *_ = sections(html)
        shown = figures(standard)["If list 2025-04 closed now"]
        assert shown == f"{wanted.rating} {signed(str(wanted.change))}"
        assert "as of 20" in text(standard)
        reports.set_fields(japan.reports.last(), {"speed": "standard"}, OFFICER)
        assert "is being calculated" not in page("/japan/players/J004/")
        with new_entry(japan, Act("test", "change-member")):
            pass
        assert "is being calculated" in page("/japan/players/J004/")

    @pytest.mark.parametrize(
        ("lang", "words"),
        [("en", "1 question open"), pytest.param("ja", "確認事項", marks=pytest.mark.slow)],
    )
    def test_events_in_the_office(self, japan, lang, words):
        coming_jobs.start_due()
        job_queue.work_off()
        part = text(page("/japan/players/J004/", lang).split('id="in-office"')[1].split("</section>")[0])
        assert "Hinoki Spring Match" in part
        assert "Autumn" not in part  # it was granted to nobody, and nobody has looked at what the club wrote
        assert (
            "A report of an event of 2025-04-26:" if lang == "en" else "2025年4月26日の大会の報告："
        ) in part
        assert words in part
        assert ("list 2025-06" if lang == "en" else "2025年6月リスト") in part
        assert 'id="in-office"' not in page("/japan/players/J020/", lang)

    @pytest.mark.slow
    def test_nobody_learns_by_a_report_whose_a_fide_id_is_who_is_shown_by_id_only(self, japan):
        coming_jobs.start_due()
        job_queue.work_off()
        assert "A report of an event" in page("/japan/players/J004/")
        hide(japan, "J004")
        html = page("/japan/players/J004/")
        assert "A report of an event" not in html
        assert "Hinoki Spring Match" in html  # it is accepted

    def test_the_page_of_an_event_that_waits_says_for_which_list(self, japan):
        html = page("/japan/events/2025-04-26-hinoki-spring-match/")
        assert "will be in list 2025-06" in text(html)


class TestTheUnrated:
    def test_the_true_score_why_nothing_counted_and_what_is_needed(self):
        published_pool()
        html = page("/japan/players/J034/")
        assert shown_events(html) == {"2025-01-newyear": [("3 / 6", "0", "")]}
        assert "6 games not counted: a side is not a member JCF 3(5)" in text(html)
        assert "Games against rated players still needed for a first rating: 6." in text(html)
        assert "/japan/calculators/first/?book=jcf-2024" in html

    def test_a_member_who_never_played_has_a_page(self, ledger_folder):
        folder = ledger_folder("japan")
        with (folder / "players.csv").open("a", encoding="utf-8") as rows:
            rows.write("NEW,NEWMAN Nina" + "," * (rows_of(folder)[0].count(",") - 1) + "\n")
        published_pool("odd", folder=folder)
        assert "NEWMAN Nina" in page("/odd/players/NEW/")
        assert visitor().get("/odd/players/NOBODY/").status_code == 404

    def test_the_working_says_who_was_no_member(self):
        published_pool()
        html = text(page("/japan/players/J004/2025-02/standard/"))
        assert "against KIMURA Akari (1562): not counted, KIMURA Akari was not a member on the day" in html

    def test_a_crosstable_gives_the_reasons(self):
        published_pool()
        html = page("/japan/events/2025-01-newyear/")
        table, legend = html.split("</table>")[0], text(html.split("</table>")[1])
        assert "*" not in text(table.split('class="sheet cross"')[1])
        left_out = Line.objects.filter(event_id="2025-01-newyear", verdict="member", score__isnull=False)
        assert table.count("<sup>a</sup>") == left_out.count()
        assert legend.strip().startswith("a not counted: a side is not a member JCF 3(5)")
        assert ": ANDO Shota · FUKUDA Sho · KIMURA Akari" in legend


def rows_of(folder):
    return (folder / "players.csv").read_text("utf-8").splitlines()


def test_of_who_is_shown_by_id_only_neither_club_nor_fide_id_stands_there():
    japan = published_pool()
    html = page("/japan/players/J004/")
    assert "Seiran University Chess Circle" in html
    hide(japan, "J004")
    html = page("/japan/players/J004/")
    assert "Seiran University Chess Circle" not in html
    assert "club:" not in html


def test_of_who_is_shown_by_id_only_there_is_no_next_game_which_tells_of_age_and_fide_rating():
    japan = published_pool()
    address = "/api/v1/pools/japan/players/J004"
    assert "K of the next game" in page("/japan/players/J004/")
    assert any(each["k"] for each in visitor().get(address).json()["ratings"])
    hide(japan, "J004")
    assert "K of the next game" not in page("/japan/players/J004/")
    assert not any(each["k"] for each in visitor().get(address).json()["ratings"])
