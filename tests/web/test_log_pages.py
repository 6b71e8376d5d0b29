"""The log's pages, and what programs read there: a club's old mail against what the office says now."""

from __future__ import annotations

import gzip
import hashlib
import re
import shutil
from email import message_from_bytes
from pathlib import Path
from string import Formatter

import pytest
from cli.command_runs import banzuke as banzuke_command
from django.core import mail
from django.db import transaction
from office.opened_tables import opened
from office.published_office import CHIEF, TODAY, published
from web.published_pools import hide, published_pool
from web.small_office import visitor

import banzuke
from banzuke.database.models import LogEntry, RatingList
from banzuke.office import notices
from banzuke.office.office_key import key_path
from banzuke.office.transparency.list_contents import content_of
from banzuke.office.transparency.log_checkpoints import kept_path, signed_log
from banzuke.office.transparency.log_restarts import restart_log
from banzuke.office.transparency.office_log import append, bodies
from banzuke.transparency.checkpoints import notes_within, open_checkpoint
from banzuke.transparency.list_leaves import person_commitment
from banzuke.transparency.log_growth import read_growth
from banzuke.transparency.player_proofs import check_player_proof
from banzuke.transparency.signed_notes import read_keys
from banzuke.words import LANGUAGES, catalogue

pytestmark = pytest.mark.django_db
LIST = "/japan/lists/2025-05/"
SOURCE = Path(banzuke.__file__).parent


@pytest.fixture
def japan():
    return published_pool()


def get(address, status=200, **headers):
    answer = visitor().get(address, headers=headers)
    assert answer.status_code == status, (address, answer.status_code)
    return answer


def keys():
    return read_keys(get("/log/key").content.decode())


def checkpoint():
    return open_checkpoint(get("/log/checkpoint").content, keys()).checkpoint


class TestAddresses:
    def test_the_checkpoint_is_of_all_entries(self, japan):
        found = checkpoint()
        assert found.size == LogEntry.objects.count() == japan.lists.count() + 2
        lines = get("/log/entries?from=0").content.decode().splitlines()
        assert lines == [body for _, body in bodies()]
        assert get("/log/entries?from=3").content.decode().splitlines() == lines[3:]
        assert get("/log/entries?from=1000").content == b""

    @pytest.mark.parametrize("old", [0, 1, 5, 14])
    def test_how_it_grew(self, japan, old):
        now, log = checkpoint(), signed_log()
        before = now._replace(size=old, root=log.tree.root(old))
        grown = read_growth(get(f"/log/consistency?old={old}&new={now.size}").content)
        grown.check(before, now)

    @pytest.mark.parametrize(
        "asked", ["", "old=3", "old=5&new=2", "old=0&new=99", "old=-1&new=2", "old=x&new=2"]
    )
    def test_what_is_no_question(self, japan, asked):
        get(f"/log/consistency?{asked}", 404)

    def test_who_has_it_is_told_so(self, japan):
        for address in (
            "/log/",
            "/log/checkpoint",
            "/log/key",
            "/log/entries",
            f"{LIST}content.csv",
            f"{LIST}people.csv",
        ):
            first = get(address)
            get(address, 304, **{"if-none-match": first["ETag"]})
        with transaction.atomic():
            append("final", {"pool": "japan", "list": "2025-05", "revision": 0})
        assert get("/log/")["ETag"] != first["ETag"]
        assert "became final" in get("/log/").content.decode()

    def test_the_page_in_both_languages(self, japan):
        html = get("/log/").content.decode()
        assert signed_log().note.decode() in html
        assert 'href="/japan/lists/2025-05/?revision=0"' in html
        assert "was published as list No. 12" in " ".join(html.split())
        older = get("/log/?before=3").content.decode()
        assert "The office signs with 1 key from now on." in older
        assert "was published as list No. 12" not in " ".join(older.split())
        japanese = visitor("ja").get("/log/").content.decode()
        assert "クラブにお願いしたいこと" in japanese
        assert "What a club should do" not in japanese
        for page in (html, japanese):
            assert "banzuke witness http://testserver/ --checkpoint mail.eml" in page


class TestSpoiltFiles:
    """Somebody spoilt a file of the office's folder, or the office may not read it any more."""

    @pytest.mark.parametrize("is_key", [True, False])
    @pytest.mark.parametrize("is_folder", [True, False])
    def test_pages_say_so_without_naming_the_folder(self, japan, settings, tmp_path, is_key, is_folder):
        shutil.copy(key_path(), tmp_path)
        settings.HOME = tmp_path
        get("/log/checkpoint")
        path = key_path() if is_key else kept_path()
        path.unlink()
        if is_folder:
            path.mkdir()
        else:
            path.write_text("spoilt")
        said = [
            get("/log/").content.decode(),
            get("/log/checkpoint", 503).content.decode(),
            get(f"{LIST}record.json", 503).content.decode(),
        ]
        assert all(path.name in each and str(tmp_path) not in each for each in said)
        get("/log/key", 503 if is_key else 200)
        get(f"{LIST}standard/")


class TestFiles:
    def test_the_bytes_of_a_list(self, japan):
        published = RatingList.objects.get(name="2025-05")
        data = get(f"{LIST}content.csv").content
        assert hashlib.sha256(data).hexdigest() == published.sha256
        packed = get(f"{LIST}content.csv", **{"accept-encoding": "gzip, br"})
        assert packed["Content-Encoding"] == "gzip"
        assert gzip.decompress(packed.content) == data == content_of(published)

    def test_a_proof(self, japan):
        answer = get(f"{LIST}proofs/J001.tlog-proof")
        assert 'filename="J001-2025-05.tlog-proof"' in answer["Content-Disposition"]
        proven = check_player_proof(answer.content, keys())
        assert (proven.entry.list, proven.leaf.player) == ("2025-05", "J001")
        row = RatingList.objects.get(name="2025-05").rows.filter(player_id="J001")[0]
        assert proven.person.facts == (row.name, row.name_native, row.club_id, row.sex, row.group)
        people = dict(line.split(",") for line in get(f"{LIST}people.csv").content.decode().splitlines()[1:])
        assert people["J001"] == proven.leaf.person == person_commitment(*proven.person)
        get(f"{LIST}proofs/nobody.tlog-proof", 404)

    def test_a_proof_of_somebody_shown_by_id_only_opens_nobody(self, japan):
        hide(japan, "J001")
        proven = check_player_proof(get(f"{LIST}proofs/J001.tlog-proof").content, keys())
        assert (proven.leaf.player, proven.person) == ("J001", None)

    def test_a_proof_of_a_go_player(self, tmp_path):
        """From the page to the sentence of the command: rank and every game of the month."""
        pool = published("go-server")
        listed = pool.lists.order_by("number").last()
        player = listed.lines.exclude(change=None).first().player_id
        answer = get(f"/go-server/lists/{listed.name}/proofs/{player}.tlog-proof")
        proven = check_player_proof(answer.content, keys())
        assert (proven.leaf.player, proven.leaf.events) == (player, {})
        assert len(proven.leaf.changes) == listed.lines.filter(player_id=player).count()
        (tmp_path / "proof").write_bytes(answer.content)
        ran = banzuke_command("proof", "check", tmp_path / "proof", "--key", keys()[0])
        assert ran.status == 0
        games = [line for line in ran.lines if line.startswith("Game ")]
        assert len(games) == len(proven.leaf.changes)
        assert all(f"is in list {listed.name}, revision 0, published " in line for line in games)

    def test_pages_lead_to_it(self, japan):
        html = get(f"{LIST}standard/").content.decode()
        assert 'href="/japan/lists/2025-05/proofs/J001.tlog-proof"' in html
        number = RatingList.objects.get(name="2025-05").log_entry.number
        assert f'href="/log/?before={number + 1}"' in html
        (note,) = notes_within(
            html.replace('<pre tabindex="0"><code>', "\n").replace("</code>", "\n").encode()
        )
        assert open_checkpoint(note, keys()).checkpoint.size == number + 1
        assert (
            'href="/japan/lists/2025-05/proofs/J001.tlog-proof"'
            in get("/japan/players/J001/").content.decode()
        )
        said = get("/api/v1/pools/japan/lists/2025-05").json()
        assert said["log_index"] == number
        assert get(said["record"])["Content-Type"] == "application/json"
        assert said["checkpoint"].encode() == note

    def test_a_list_that_is_not_in_the_log_yet(self, japan):
        published = RatingList.objects.get(name="2025-05")
        with opened():
            LogEntry.objects.filter(list=published).delete()
        html = get(f"{LIST}standard/").content.decode()
        assert "being entered" in html
        assert ".tlog-proof" not in html
        assert get("/api/v1/pools/japan/lists/2025-05").json()["checkpoint"] is None


#: Every kind of notice there is.
NOTICES = sorted(key.removeprefix("subject-") for key in catalogue("notices") if key.startswith("subject-"))


class TestMails:
    @pytest.mark.parametrize("what", NOTICES)
    def test_every_kind_of_notice_ends_with_a_checkpoint(self, japan, settings, what):
        """As the mail is sent, byte for byte, whatever kind of notice it is."""
        settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
        texts = [catalogue("notices")[key][lang] for key in (what, f"subject-{what}") for lang in LANGUAGES]
        facts = {name: "1" for text in texts for _, name, *_ in Formatter().parse(text) if name}
        subject, text = notices._written(notices.Notice(japan, "C01", what, facts, "x", {}))
        mail.EmailMessage(subject, text, to=["club@example.org"]).send()
        sent = mail.outbox[-1].message().as_bytes()
        (note,) = notes_within(sent)
        assert open_checkpoint(note, keys()).checkpoint == checkpoint()
        assert message_from_bytes(sent)["Subject"]
        assert "Keep this mail" in text
        assert "保管" in text

    def test_there_is_no_other_way_to_send_one(self):
        """Whatever the office mails of itself is a notice; signing in has its own mails."""
        sending = re.compile(r"EmailMessage|send_mail|EmailMultiAlternatives|send_messages")
        found = {
            str(path.relative_to(SOURCE))
            for path in SOURCE.rglob("*.py")
            if sending.search(path.read_text("utf-8"))
        }
        assert found == {"office/notices.py", "server/demo_present.py"}


class TestAnotherPast:
    def test_nothing_is_signed_that_does_not_go_on(self, japan):
        before = get("/log/checkpoint").content
        with opened():
            LogEntry.objects.filter(number=4).update(body=LogEntry.objects.get(number=5).body)
        restarted()
        answer = get("/log/checkpoint", 503)
        assert "not those that the office has signed" in answer.content.decode()
        assert kept_path().read_bytes() == before
        assert "The office signs nothing at present." in get("/log/").content.decode()
        assert "<summary>Checkpoint" not in get(f"{LIST}standard/").content.decode()
        get(f"{LIST}proofs/J001.tlog-proof", 503)
        _, text = notices._written(
            notices.Notice(japan, "C01", "granted", {"event": "x", "starts": TODAY}, "x", {})
        )
        assert notes_within(text.encode()) == []

    def test_an_entry_that_nobody_can_read(self, japan):
        get("/log/checkpoint")
        with opened():
            LogEntry.objects.filter(number=4).update(body="spoilt")
        restarted()
        assert "The office signs nothing at present." in get("/log/").content.decode()
        get("/log/checkpoint", 503)
        get(f"{LIST}standard/")

    def test_a_log_cut_short(self, japan):
        get("/log/checkpoint")
        with opened():
            LogEntry.objects.order_by("-number").first().delete()
        assert "13 entries now" in get("/log/checkpoint", 503).content.decode()

    def test_it_goes_on_under_another_name_with_the_reason(self, japan):
        before = checkpoint()
        with opened():
            LogEntry.objects.order_by("-number").first().delete()
        restart_log("a backup of the day before was restored", CHIEF)
        now = checkpoint()
        assert now.origin == f"{before.origin}-2"
        html = " ".join(get("/log/").content.decode().split())
        assert "a backup of the day before was restored" in html
        assert before.origin in html


def restarted():
    """What the process has read of the log is not known to another."""
    from banzuke.office.transparency import log_checkpoints

    log_checkpoints._trees.clear()
    log_checkpoints._signed.clear()
