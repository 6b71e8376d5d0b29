"""A month of a rating office played through in a real browser, as each role, from an office that has nobody."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from served_office import opened

from banzuke.office.jobs.pool_size import AT_ONCE

expect = pytest.importorskip("playwright.sync_api", reason="no browser tests without Playwright").expect
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PASSWORD = "kanban musume 88"
PHONE, DESKTOP = {"width": 375, "height": 800}, {"width": 1200, "height": 900}
#: More presses of the Tab key than any page of the month needs.
MOST_TABS = 80


class Office:
    """A served office and its visitors, each in a browser of their own; and what their browsers complain of."""

    def __init__(self, browser, said):
        self.browser, self.address = browser, said["address"].rstrip("/")
        self.code = said["first_officer_code"]
        self.complaints = []

    def visitor(self, size=DESKTOP, lang="en-US"):
        context = self.browser.new_context(base_url=self.address, viewport=size, locale=lang)
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda line: self.complain(page, f"{line.type}: {line.text}"))
        page.on("pageerror", lambda error: self.complain(page, str(error)))
        page.on("requestfailed", lambda request: self.failed(page, request))
        page.on("request", lambda request: self.asked(page, request))
        return page

    def complain(self, page, what):
        if "status of 403" not in what:  # a page that is refused on purpose
            self.complaints.append(f"{page.url}: {what}")

    def failed(self, page, request):
        """What a page still asked for when it was left, and files taken, are no failures."""
        if "ERR_ABORTED" not in (request.failure or ""):
            self.complain(page, f"{request.url} failed: {request.failure}")

    def asked(self, page, request):
        if urlsplit(request.url).netloc != urlsplit(self.address).netloc:
            self.complain(page, f"asks elsewhere: {request.url}")


@pytest.fixture(scope="module")
def office(browser, tmp_path_factory):
    with opened(tmp_path_factory.mktemp("office")) as said:
        yield Office(browser, said)


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    """The example of Japan as a zip file."""
    path = tmp_path_factory.mktemp("ledger") / "japan.zip"
    with zipfile.ZipFile(path, "w") as packed:
        for table in sorted((EXAMPLES / "japan").iterdir()):
            packed.write(table, table.name)
    return path


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """A ledger of more games than are rated within a request: a match of two that went on and on."""
    path = tmp_path_factory.mktemp("ledger") / "large.zip"
    about = 'name = "A long match"\n[[edition]]\nrulebook = "hakodate"\nfrom = 2020-01-01\n'
    events = "event_id,name,starts,ends,reported\nlong,Long Match,2025-01-01,2025-12-31,2025-12-31\n"
    games = (f"long,{number},A,B,{'1-0' if number % 2 else '0-1'}\n" for number in range(1, AT_ONCE + 2))
    with zipfile.ZipFile(path, "w") as packed:
        packed.writestr("pool.toml", about)
        packed.writestr("players.csv", "player_id,name\nA,ABE Ichiro\nB,BABA Jiro\n")
        packed.writestr("standings.csv", "player_id,rating,games\nA,1500,50\nB,1500,50\n")
        packed.writestr("events.csv", events)
        packed.writestr("games.csv", "event_id,round,white,black,result\n" + "".join(games))
    return path


@pytest.mark.slow
def test_a_month(office, ledger, large):
    boss = office.visitor()
    open_the_office(boss, office.code)
    open_a_pool(boss, "japan", JAPAN, ledger)
    links = {name: invite(boss, name, *role) for name, role in ROLES.items()}
    people = {name: come_in(office, name, link) for name, link in links.items()}
    publish(people["chief"], "2025-05", first=True)
    club, officer, chief = people["reporter"], people["officer"], people["chief"]
    meeting = fill_in_by_keyboard(club)
    match = upload(club)
    hold(officer, match, "Which boards were used?")
    where_it_stands(club, match, "保留", "Which boards were used?")
    take(officer, meeting, {"reported": "2025-05-12", "form": "meeting", "speed": "standard"}, who="J003")
    take(officer, match, {"reported": "2025-05-02", "speed": "standard", "applied": "2025-04-01"})
    where_it_stands(club, match, "2025年6月", "2025年5月20日")
    rehearse_only(officer)
    publish(chief, "2025-06")
    public = look_at_the_list(office)
    where_it_stands(club, match, "計算済みで")
    correct(officer, chief)
    see_the_revision(public)
    verify(officer)
    publish_as_a_job(boss, large)
    assert acts_in_the_journal(boss) >= {
        "List published",
        "Report accepted",
        "Report put on hold",
        "Correction carried out",
        "Signed in",
    }
    assert office.complaints == []


JAPAN = "Example Chess Federation"
#: Role, pool, and club of the users who are invited.
ROLES = {
    "reporter": ("reporter", JAPAN, "C01"),
    "officer": ("officer", JAPAN, ""),
    "chief": ("chief", JAPAN, ""),
}


def open_the_office(page, code):
    page.goto("/")
    assert page.url.endswith("/office/first/")
    page.get_by_label("Username").fill("kato")
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_label("Password confirmation").fill(PASSWORD)
    page.get_by_label("Code").fill(code)
    page.get_by_label("Officers need a second factor").uncheck()
    page.get_by_role("button", name="Open the office").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("New pool")


def open_a_pool(page, word, name, ledger):
    page.goto("/office/new/")
    page.get_by_label("Name in web addresses").fill(word)
    page.get_by_text("Or import a ledger folder").click()
    page.locator("[name=ledger]").set_input_files(ledger)
    page.get_by_role("button", name="Open the pool").click()
    expect(page.locator(".messages")).to_contain_text(f"The pool “{name}” is open.")


def invite(page, name, kind, pool, club):
    """A new user with a role; the link by which they come in."""
    page.goto("/office/users/")
    page.locator("[name=username]").fill(name)
    page.get_by_role("button", name="Add the user").click()
    page.locator("[name=kind]").select_option(kind)
    page.locator("[name=pool]").select_option(label=pool)
    page.locator("[name=club_id]").fill(club)
    page.get_by_role("button", name="Give the role").click()
    expect(page.get_by_role("table")).to_contain_text(pool)
    page.get_by_role("button", name="Make a link").click()
    return page.locator("#link").input_value()


def come_in(office, name, link):
    """A user who chooses a password and signs in; the reporter reads Japanese on a phone."""
    page = office.visitor(PHONE if name == "reporter" else DESKTOP)
    page.goto(link)
    page.locator("[name=new_password1]").fill(PASSWORD)
    page.locator("[name=new_password2]").fill(PASSWORD)
    page.get_by_role("button", name="Set the password").click()
    page.locator("[name=login]").fill(name)
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/office/japan/club/" if name == "reporter" else "**/office/")
    if name == "reporter":
        page.get_by_role("button", name="日本語").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("自分の大会")
    return page


def tab_to(page, name, key="Tab"):
    """Press Tab until the field of that name has the focus."""
    for _ in range(MOST_TABS):
        page.keyboard.press(key)
        if page.evaluate("document.activeElement.name") == name:
            return
    pytest.fail(f"the keyboard does not come to {name} on {page.url}")


def fill_in_by_keyboard(page):
    """A meeting of four, typed without a pointer; one name is not quite the member's."""
    page.goto("/office/japan/inbox/form/")
    for name, typed in (("event-name", "Hinoki Meeting, May"), ("event-starts", "05102025")):
        tab_to(page, name)
        page.keyboard.type(typed)
    tab_to(page, "event-ends")
    page.keyboard.type("05102025")
    tab_to(page, "size", "Shift+Tab")
    page.keyboard.type("4")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("[data-grid]")).to_have_attribute("data-grid", "4")
    assert page.locator("[name=event-ends]").input_value() == "2025-05-10"
    tab_to(page, "player-1")
    for typed in ("J008", "J018", "J024", "YAMAMOTO Itsu"):
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
    page.keyboard.type("150101")
    assert [page.locator(f"[name=r-{cell}]").input_value() for cell in ("1-2", "2-1", "3-1", "4-1")] == [
        "1",
        "0",
        "½",
        "1",
    ]
    tab_to(page, "act")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"inbox/\d+/$"))
    expect(page.locator("main")).to_contain_text("担当者の確認待ち")
    no_wider_than(page)
    return urlsplit(page.url).path


def upload(page):
    page.goto("/office/japan/inbox/send/")
    page.locator("[name=files]").set_input_files(EXAMPLES / "hinoki-spring.trf")
    page.locator("main").get_by_role("button", name="送信").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Hinoki Spring Match")
    return urlsplit(page.url).path


def hold(page, report, why):
    page.goto("/office/")
    page.get_by_role("link", name="Reports that wait").click()
    page.get_by_role("link", name="Hinoki Spring Match").click()
    page.locator("[name=why]").fill(why)
    page.get_by_role("button", name="Hold").click()
    expect(page.locator("main")).to_contain_text("the report is on hold")
    assert urlsplit(page.url).path == report


def where_it_stands(page, report, *words):
    """What the club reads, on the phone."""
    page.goto(report)
    for word in words:
        expect(page.locator("main")).to_contain_text(word)
    no_wider_than(page)


def take(page, report, said, who=None):
    """Complete the fields, decide who is who, look at the changes, accept."""
    page.goto(report)
    for name, value in said.items():
        field = page.locator(f"[name=e0-{name}]")
        expect(field).to_be_visible()
        if field.evaluate("it => it.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
    if who:
        page.locator(f"input[type=radio][value={who}]").check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("main")).to_contain_text("can be accepted")
    expect(page.get_by_role("table", name="List 2025-06 with this report in it")).to_be_visible()
    page.get_by_role("button", name="Accept").click()
    expect(page.locator("main")).to_contain_text("will be in list 2025-06")


def rehearse_only(page):
    """An officer rehearses, and may not publish."""
    page.goto("/office/japan/board/")
    page.get_by_role("button", name="Rehearse the whole list").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Rehearsal of 2025-06")
    expect(page.locator("main")).to_contain_text("A chief officer can publish it now.")
    assert page.get_by_role("link", name="Publish it").count() == 0
    assert page.goto("/office/japan/board/rehearsals/2025-06/publish/").status == 403


def publish(page, name, *, first=False):
    """The one act; its job is followed to the end."""
    page.goto("/office/japan/board/")
    page.get_by_role("button", name=f"up to {name}" if first else "Rehearse the whole list").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Rehearsal of {name}")
    page.get_by_role("link", name="Publish it").click()
    page.get_by_role("checkbox").check()
    page.get_by_role("button", name=f"Publish {name}").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(f"List {name} is published")
    page.get_by_role("link", name="Look at the list").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(name)


def look_at_the_list(office):
    """The public, on a phone: the list, a player, the working, the crosstable, each in both languages."""
    page = office.visitor(PHONE)
    page.goto("/")
    page.get_by_role("link", name="Example Chess Federation").click()
    page.get_by_role("link", name="2025-06").first.click()
    expect(page.get_by_role("button", name="Copy for a spreadsheet")).to_be_visible()
    page.locator("#q").fill("ito ken")
    expect(page).to_have_url(re.compile("q=ito"))  # the table was put in, and no link is taken away any more
    expect(page.locator("#ratings tbody tr")).to_have_count(1)
    page.get_by_role("link", name="ITO Kenta").click()
    in_both_languages(page, "ITO Kenta", "伊藤 健太")
    expect(page.locator(".plot canvas").first).to_be_visible()
    page.get_by_role("link", name="How this rating came about").first.click()
    in_both_languages(page, "ITO Kenta", "伊藤 健太")
    expect(page.locator(".working").first).to_contain_text("Hinoki Meeting, May")
    page.get_by_role("link", name="Hinoki Meeting, May").first.click()
    in_both_languages(page, "Hinoki Meeting, May", "Hinoki Meeting, May")
    expect(page.locator(".cross tbody tr")).to_have_count(4)
    page.get_by_role("link", name="2025-06").click()
    in_both_languages(page, "2025-06 Standard", "2025年6月 スタンダード")
    return page


def in_both_languages(page, english, japanese):
    """The page by the clicks of the language switch, and back; it fits the window."""
    heading = page.get_by_role("heading", level=1)
    expect(heading).to_contain_text(english)
    no_wider_than(page)
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(heading).to_contain_text(japanese)
    no_wider_than(page)
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")


def no_wider_than(page):
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def correct(officer, chief):
    """An inquiry, the game found and changed in the draft; the chief confirms its earlier day, looks, acts."""
    page = officer
    page.goto("/office/japan/board/inquiries/")
    page.get_by_label("Asked on").fill("2025-06-10")
    page.get_by_label("Asked by").fill("GOTO Makoto")
    page.get_by_label("About").fill("The game of ITO and IWASAKI was a draw.")
    page.get_by_role("button", name="Record it").click()
    inquiry = urlsplit(page.url).path
    page.locator("#q").fill("Hinoki Meeting")
    page.get_by_role("button", name="Find").click()
    page.get_by_role("link", name="Hinoki Meeting, May").click()
    games = page.get_by_role("table", name="Games")
    row = games.get_by_role("row").filter(has_text="J008").filter(has_text="J018")
    row.get_by_role("link", name="Change").click()
    page.get_by_label("Result").select_option("1/2-1/2")
    page.get_by_role("button", name="Add to the draft").click()
    chief.goto(inquiry)
    chief.get_by_role("button", name="Confirm that it was asked on 2025-06-10").click()
    expect(chief.locator("main")).to_contain_text("The inquiry now counts from 2025-06-10.")
    expect(chief.get_by_role("table", name="Ratings that change")).to_contain_text("ITO Kenta")
    expect(chief.locator("#preview")).to_contain_text("Frozen")
    act = chief.get_by_role("button", name="Correct and publish the revisions")
    chief.locator("form").filter(has=act).get_by_role("textbox").fill("The score sheets say so.")
    act.click()
    expect(chief.locator("main")).to_contain_text("Revised: 2025-06")


def see_the_revision(page):
    """The revision takes the list's place; the first stays readable beside it, with the reason."""
    page.goto("/japan/lists/2025-06/standard/")
    revisions = page.locator("#about + dl")
    expect(revisions).to_contain_text("The score sheets say so.")
    rating = page.locator("#ratings tbody tr").filter(has_text="J008").locator(".rating")
    corrected = rating.inner_text()
    page.get_by_role("link", name=re.compile("^first published on")).click()
    expect(page.locator("main")).to_contain_text("This is the list as first published on")
    expect(rating).not_to_have_text(corrected)


def verify(page):
    page.goto("/office/japan/board/lists/")
    row = page.get_by_role("row").filter(has_text="revised on")
    row.get_by_role("button", name="Verify").click()
    expect(page.locator(".tag.good")).to_have_text("verified")


def publish_as_a_job(page, ledger):
    """A pool of many games: rehearsing and publishing are jobs, whose page shows how far they are."""
    open_a_pool(page, "large", "A long match", ledger)
    page.goto("/office/large/board/")
    with page.expect_navigation(url="**/office/jobs/*/"):
        page.get_by_role("button", name="Rehearse the whole list").click()
    page.wait_for_url("**/rehearsals/long/")
    page.get_by_role("link", name="Publish it").click()
    page.get_by_role("checkbox").check()
    with page.expect_navigation(url="**/office/jobs/*/"):
        page.get_by_role("button", name="Publish long").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("List Long Match, 2025-12-31 is published")


def acts_in_the_journal(page):
    page.goto("/office/journal/")
    return set(page.locator("tbody td:nth-child(3)").all_inner_texts())
