"""Reforms on pages: from the draft to the announcement by two officers, and what the public reads."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import localdate
from office.published_office import published
from small_office import client, small_pool, visitor

from banzuke.database.models import Job, Player, ReformStep
from banzuke.office.jobs import job_queue, pool_size
from banzuke.office.reforms.reform_acts import bring_due_reforms_into_force, progress_of

pytestmark = pytest.mark.django_db

FROM = localdate() + timedelta(days=40)
K32 = f'name = "K <32>"\nfrom = {FROM}\n[set]\n"jcf.k_new" = 32\n'
BOTH = K32 + '[adjustment]\npoints = "1000:1400 2000:2000"\nspeed = "standard"\n'
HERE, PUBLIC = "/office/japan/reforms/", "/japan/reforms/"
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "HOME", tmp_path)


@pytest.fixture
def pool():
    return published("japan")


@pytest.fixture
def officer(pool):
    return client("officer", pool)


@pytest.fixture
def chief(pool):
    return client("chief", pool)


def text(answer, status=200):
    assert answer.status_code == status
    return " ".join(answer.content.decode().split())


def seen(pool):
    return progress_of(pool.reforms.get(number=1)).draft.sha256


def drafted(who, file=BOTH):
    return text(who.post(f"{HERE}new/", {"reform": file}, follow=True))


def decided(pool, who):
    said = {"text": "Board, <item> 3", "day": localdate(), "link": "https://example.org/m?a=1&b=2"}
    return text(who.post(f"{HERE}1/decide/", said | {"seen": seen(pool)}, follow=True))


def announced(pool, officer, chief, file=BOTH):
    """What the chief officer's page says once the reform is announced."""
    drafted(officer, file)
    officer.post(f"{HERE}1/rehearse/")
    decided(pool, officer)
    chief.post(f"{HERE}1/sign/", {"seen": seen(pool)})
    return text(chief.post(f"{HERE}1/announce/", {"seen": seen(pool)}, follow=True))


class TestTheDraft:
    def test_it_is_written_or_sent_as_a_file(self, pool, officer):
        assert "K &lt;32&gt;" in drafted(officer)
        file = SimpleUploadedFile("k.toml", b"\xef\xbb\xbf" + K32.encode())
        assert officer.post(f"{HERE}new/", {"reform": "", "reform_file": file})["Location"] == f"{HERE}2/"
        assert progress_of(pool.reforms.get(number=2)).draft.file == K32

    @pytest.mark.parametrize(
        ("file", "said"),
        [
            ("", "Write the reform here, or choose its file."),
            (
                K32.replace("jcf.k_new", "jcf.k_knew"),
                "set: jcf.k_knew: The book has no such number; correct it",
            ),
            (K32.replace("= 32", "= "), "This is not TOML that can be read (Invalid value (at line 4"),
            (K32.replace(str(FROM), "2024-01-01"), "from: 2024-01-01 is over"),
        ],
    )
    def test_what_is_wrong_stands_at_the_form(self, officer, file, said):
        page = text(officer.post(f"{HERE}new/", {"reform": file}))
        assert said in page
        assert not ReformStep.objects.exists()

    def test_its_name_is_in_the_reader_s_language(self, pool):
        assert "name = &quot;改定案&quot;" in text(client("officer", pool, lang="ja").get(f"{HERE}new/"))

    def test_the_sliders_fill_it_in(self, officer):
        asked = {"player": "J003", "k_normal": 30, "limit": 350}
        page = text(officer.get("/office/japan/lab/what-would-change/", asked))
        (way,) = re.findall(r'href="([^"]+)">Draft this as a reform<', page)
        assert way == f"{HERE}new/?k_normal=30&amp;limit=350"
        page = officer.get(way.replace("&amp;", "&")).content.decode()
        assert "&quot;jcf.k_normal&quot; = 30\n&quot;jcf.limit&quot; = 350\n" in page
        page = officer.get(f"{HERE}new/?k_new=x&other=1").content.decode()
        assert re.search(r"\[set\]\n&quot;jcf\.\w+&quot; = \d+\n", page)

    def test_the_laboratory_has_the_same_file(self, pool, officer):
        lab = "/office/japan/lab/"
        assert f'formaction="{HERE}new/"' in text(officer.get(lab))
        asked = {"question": "compare", "settings": "", "reform": K32}
        assert officer.post(f"{HERE}new/", asked)["Location"] == f"{HERE}1/"
        (way,) = re.findall(r'href="([^"]+)">Try it in the laboratory<', text(officer.get(f"{HERE}1/")))
        assert "&quot;jcf.k_new&quot; = 32" in officer.get(way).content.decode()
        for number in ("2", "x", "9" * 30, "²"):
            assert "jcf.k_new&quot; = 32" not in officer.get(f"{lab}?reform={number}").content.decode()

    def test_it_is_changed(self, pool, officer):
        drafted(officer)
        first = seen(pool)
        assert "K &lt;32&gt;" in text(officer.get(f"{HERE}1/change/"))
        page = text(officer.post(f"{HERE}1/change/", {"reform": K32, "seen": first}, follow=True))
        assert "The draft is kept" in page
        page = text(officer.post(f"{HERE}1/change/", {"reform": BOTH, "seen": first}, follow=True))
        assert "The draft was changed meanwhile" in page

    def test_not_for_go(self):
        go = client("officer", small_pool("go"))
        assert go.get("/office/go/reforms/").status_code == 404
        assert visitor().get("/go/reforms/").status_code == 404


class TestTheWay:
    def test_two_officers_lead_it_into_force(self, pool, officer, chief):
        page = announced(pool, officer, chief)
        for said in (
            "The reform is announced. It comes into force by itself on its day.",
            "Signed by chief-japan",
            "officer-japan: Reform drafted",
            "chief-japan: Reform announced",
            'href="https://example.org/m?a=1&amp;b=2"',
        ):
            assert said in page
        assert bring_due_reforms_into_force(FROM) == 1
        page = text(officer.get(f"{HERE}1/"))
        assert "Entered into the ledger on" in page
        assert "Withdraw the reform" not in page

    def test_the_rehearsal_says_who_moves_to_officers(self, pool, officer):
        drafted(officer)
        page = text(officer.post(f"{HERE}1/rehearse/", follow=True))
        for said in (
            "Who moves most",
            "Levels that players pass",
            "new players&#x27; higher K",
            "All together",
        ):
            assert said in page
        rows = officer.get(f"{HERE}1/list.csv").content.decode("utf-8-sig").splitlines()
        assert rows[0] == "speed,player_id,name,before,after"
        assert len(rows) > 20

    def test_what_waits_stands_on_the_desk(self, pool, officer, chief):
        drafted(officer)
        officer.post(f"{HERE}1/rehearse/")
        decided(pool, officer)
        assert "Reforms to sign" not in text(officer.get("/office/"))
        assert "Reforms to sign" in text(chief.get("/office/"))
        chief.post(f"{HERE}1/sign/", {"seen": seen(pool)})
        page = text(chief.get("/office/"))
        assert "Reforms to sign" not in page
        assert "Reforms to announce" in page
        assert "Reforms to announce" not in text(officer.get("/office/"))

    def test_a_large_pool_is_rehearsed_by_the_worker(self, pool, officer, monkeypatch):
        monkeypatch.setattr(pool_size, "AT_ONCE", 1)
        drafted(officer)
        answer = officer.post(f"{HERE}1/rehearse/")
        assert job_queue.work_off().state == Job.State.DONE
        assert "Who moves most" in text(officer.get(answer["Location"], follow=True))

    @pytest.mark.parametrize("days", [-1, 0, 1])
    def test_a_list_planned_for_later_than_its_day_is_warned_of(self, pool, officer, chief, days):
        (board,) = re.findall(
            r'action="(/office/japan/board/rehearsals/[^"]+/)again/"', text(chief.get("/office/japan/board/"))
        )
        chief.post(f"{board}again/")
        hour = f"{FROM + timedelta(days=days)}T09:00"

        def planned():
            page = text(chief.get(f"{board}publish/"))
            (name,) = re.findall(r'name="confirm" value="([^"]+)"', page)
            said = {"confirm": name, "when": "later", "hour": hour}
            return text(chief.post(f"{board}publish/", said, follow=True))

        assert "comes into force on" not in planned()
        page = announced(pool, officer, chief, K32)
        assert ("is planned to be published after that" in page) is (days >= 0)
        number = pool.planned_publications.get().pk
        chief.post(f"/office/japan/board/planned/{number}/cancel/")
        assert (f"But reform 1 comes into force on {FROM}" in planned()) is (days >= 0)

    def test_who_drafted_does_not_sign_and_an_officer_does_not_announce(self, pool, officer, chief):
        drafted(officer)
        officer.post(f"{HERE}1/rehearse/")
        page = decided(pool, officer)
        assert "You drafted this reform. Another officer signs it." in page
        page = text(officer.post(f"{HERE}1/sign/", {"seen": seen(pool)}, follow=True))
        assert "officer-japan drafted this reform" in page
        assert "Sign the reform" in text(chief.get(f"{HERE}1/"))
        assert officer.post(f"{HERE}1/announce/", {"seen": seen(pool)}).status_code == 403

    @pytest.mark.parametrize("link", ["javascript:alert(1)", "ftp://example.org/", "no link"])
    def test_a_link_that_is_none(self, pool, officer, link):
        drafted(officer)
        officer.post(f"{HERE}1/rehearse/")
        said = {"text": "Board", "day": localdate(), "link": link, "seen": seen(pool)}
        assert "Enter a valid URL" in text(officer.post(f"{HERE}1/decide/", said))
        assert not ReformStep.objects.filter(act="minuted").exists()

    def test_what_was_entered_since_is_said(self, pool, officer):
        drafted(officer)
        officer.post(f"{HERE}1/rehearse/")
        assert "Something was entered" not in text(officer.get(f"{HERE}1/"))
        pool.entries.create(at=progress_of(pool.reforms.get()).draft.at, author="x", act="x", why="")
        assert "Something was entered" in text(officer.get(f"{HERE}1/"))

    def test_a_chief_officer_withdraws_what_is_announced(self, pool, officer, chief):
        announced(pool, officer, chief)
        asked = {"withdraw-why": "The assembly said no."}
        assert officer.post(f"{HERE}1/withdraw/", asked).status_code == 403
        assert "This field is required" in text(chief.post(f"{HERE}1/withdraw/", {}))
        assert "The reform is withdrawn." in text(chief.post(f"{HERE}1/withdraw/", asked, follow=True))
        page = text(visitor().get(f"{PUBLIC}1/"))
        assert "It does not come into force." in page
        assert "The assembly said no." in page

    def test_in_japanese(self, pool, chief, officer):
        announced(pool, officer, chief)
        page = text(officer.get(f"{HERE}1/", headers={"accept-language": "ja"}))
        for said in ("告知済み", "改定案の作成", "変動の大きいプレイヤー", "点数の収支"):
            assert said in page
        assert "without the reform" not in page


class TestThePublicPage:
    def test_before_it_is_announced_there_is_none(self, pool, officer):
        drafted(officer)
        assert visitor().get(f"{PUBLIC}1/").status_code == 404
        assert "No reform has been announced." in text(visitor().get(PUBLIC))
        assert "K &lt;32&gt;" not in text(visitor().get("/japan/"))
        assert "K &lt;32&gt;" not in text(visitor().get("/japan/rules/"))

    def test_it_has_the_decision_and_the_effect_and_names_nobody(self, pool, officer, chief):
        announced(pool, officer, chief)
        page = text(visitor().get(f"{PUBLIC}1/"))
        for said in (
            "Board, &lt;item&gt; 3",
            "K of new players",
            '<td class="n">1400</td>',
            "Ratings that rise",
        ):
            assert said in page
        for one in Player.objects.filter(pool=pool):
            assert one.name not in page
            assert not re.search(rf"\b{re.escape(one.player_id)}\b", page)
        assert "officer-japan" not in page
        assert "chief-japan" not in page
        for address in ("/japan/rules/", "/japan/", PUBLIC):
            assert f'href="{PUBLIC}1/">K &lt;32&gt;' in text(visitor().get(address))

    def test_its_numbers_stay_those_of_before_once_it_is_in_force(self, pool, officer, chief):
        announced(pool, officer, chief)
        before = re.search(r"<table.*?</table>", text(visitor().get(f"{PUBLIC}1/")))[0]
        bring_due_reforms_into_force(FROM)
        page = text(visitor().get(f"{PUBLIC}1/"))
        assert re.search(r"<table.*?</table>", page)[0] == before
        assert "In force since" in page

    def test_the_feed_tells_of_it(self, pool, officer, chief):
        def titles():
            answer = visitor().get("/japan/lists.atom")
            return [
                one.findtext(f"{ATOM}title") for one in ET.fromstring(answer.content).iter(f"{ATOM}entry")
            ]

        before = visitor().get("/japan/lists.atom")["ETag"]
        announced(pool, officer, chief)
        assert visitor().get("/japan/lists.atom")["ETag"] != before
        assert titles()[0] == "Reform announced: K <32>"
        bring_due_reforms_into_force(FROM)
        assert {"Adjustment of ratings", "Change of rules"} <= {title.partition(":")[0] for title in titles()}

    def test_in_japanese(self, pool, officer, chief):
        announced(pool, officer, chief)
        page = text(visitor("ja").get(f"{PUBLIC}1/"))
        for said in ("に施行されます", "改定前", "上がる人数", "越える水準"):
            assert said in page
