"""banzuke log: old checkpoints held against the office's own log, a further key, and a log begun anew."""

from __future__ import annotations

import pytest
from command_runs import banzuke, no_traceback
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.db import transaction
from made_log import made_log
from office.opened_tables import opened
from office.published_office import published

from banzuke.core.fault import RefusedError
from banzuke.database.models import JournalEntry, LogEntry, Pool
from banzuke.office import office_key
from banzuke.office.lists.office_verification import verify_office
from banzuke.office.transparency import log_checkpoints
from banzuke.office.transparency.log_checkpoints import former_keys, kept_path, log_keys, signed_log
from banzuke.office.transparency.office_log import append, read_log, rules_in_log
from banzuke.transparency.log_entries import KeyEntry, RestartEntry, entry_body
from banzuke.transparency.signed_notes import public_key

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def home(settings, tmp_path):
    settings.HOME = tmp_path / "home"
    settings.HOME.mkdir(0o700)
    return settings.HOME


@pytest.fixture
def mail(tmp_path):
    """The newest mail of an office, with its checkpoint."""
    published("hakodate", 0)
    grow()
    path = tmp_path / "mail.eml"
    path.write_bytes(b"Subject: x\n\nHello\n\n" + signed_log().note)
    return path


def cut(entries=1):
    """The log as an older backup has it."""
    with opened():
        for _ in range(entries):
            LogEntry.objects.order_by("-number").first().delete()
    log_checkpoints._trees.clear()
    log_checkpoints._signed.clear()


def grow():
    with transaction.atomic():
        append("rules", {"pool": "hakodate", "files": dict(rules_in_log(Pool.objects.get()))})


class TestCompare:
    def test_what_agrees(self, mail):
        grow()
        ran = banzuke("log", "compare", mail, mail)
        assert (ran.status, len(ran.lines)) == (0, 2)
        assert ran.lines[0].endswith("mail.eml: the log has its 4 entries, as they were.")
        facts = banzuke("log", "compare", mail, "--format", "json").json
        assert (facts["is_good"], facts["checkpoints"][0]["size"]) == (True, 4)

    def test_an_older_backup(self, mail):
        cut()
        ran = banzuke("log", "compare", mail)
        assert (ran.status, "The log has 3 entries now" in no_traceback(ran)) == (1, True)
        assert (
            banzuke("log", "compare", mail, "--format", "json").json["checkpoints"][0]["code"]
            == "log-shorter"
        )

    def test_a_changed_entry(self, mail):
        with opened():
            LogEntry.objects.filter(number=2).update(body=LogEntry.objects.get(number=3).body)
        ran = banzuke("log", "compare", mail, lang="ja")
        assert (ran.status, "署名したものと異なります" in ran.err) == (1, True)

    def test_files_that_are_none_of_it(self, mail, tmp_path):
        (tmp_path / "note").write_bytes(made_log().note())
        ran = banzuke("log", "compare", tmp_path / "note")
        assert (ran.status, "None of the signatures" in ran.err) == (1, True)
        (tmp_path / "note").write_bytes(b"Hello")
        assert banzuke("log", "compare", tmp_path / "note").status == 2


class TestKeys:
    def test_a_further_key_signs_and_is_in_the_log(self, mail):
        (before,) = log_keys()
        ran = banzuke("log", "new-key")
        newest, older = log_keys()
        assert (ran.status, older) == (0, before)
        assert str(newest) in ran.lines[0]
        assert [entry.keys for _, entry in read_log() if isinstance(entry, KeyEntry)] == [
            (str(before),),
            (str(newest), str(before)),
        ]
        assert office_key.key_path().stat().st_mode & 0o777 == 0o600
        assert banzuke("log", "compare", mail).status == 0
        assert verify_office().faults == []
        assert JournalEntry.objects.latest("pk").act == "new-log-key"

    def test_the_older_one_is_taken_out_later(self, mail):
        """Checkpoints, entries and the log's name are as before; who has the old key signs nothing any more."""
        (before,) = log_keys()
        banzuke("log", "new-key")
        path = office_key.key_path()
        path.write_bytes(
            path.read_bytes().partition(b"-----END PRIVATE KEY-----\n")[0] + b"-----END PRIVATE KEY-----\n"
        )
        assert [key.name for key in log_keys()] == [before.name]
        grow()
        assert former_keys() == [before]
        assert signed_log().checkpoint.origin == before.name
        assert banzuke("log", "compare", mail).status == 0
        assert verify_office().faults == []

    def test_a_lost_key_is_told(self, mail):
        office_key.key_path().unlink()
        with pytest.raises(RefusedError):
            signed_log()  # by a new key, which nobody knows
        assert [each.code for each in verify_office().faults] == ["log-keys-foreign", "log-entries-unsigned"]
        assert banzuke("log", "restart", "The key was lost in a fire").status == 0
        assert verify_office().faults == []
        assert signed_log().size == 6

    def test_a_key_that_somebody_adds_in_the_database_is_not_signed(self, mail):
        (key,) = log_keys()
        other = Ed25519PrivateKey.generate()
        body = entry_body(KeyEntry((str(public_key(key.name, other)), str(key)), "2099-01-01T00:00:00Z"))
        LogEntry.objects.create(number=4, body=body, secret=b"", signature=other.sign(b"4\n" + body.encode()))
        with pytest.raises(RefusedError) as refused:
            signed_log()
        assert refused.value.faults[0].code == "log-keys-foreign"


class TestRestart:
    def test_a_log_that_goes_on_is_left_alone(self, mail):
        ran = banzuke("log", "restart", "for fun")
        assert (ran.status, "Nothing stands in the way" in ran.err) == (2, True)
        assert LogEntry.objects.count() == 4

    def test_after_an_older_backup(self, mail):
        name = signed_log().checkpoint.origin
        cut()
        ran = banzuke("log", "restart", "The disk\nfailed")
        assert (ran.status, ran.lines[0]) == (0, f"The log goes on as {name}-2, with 4 entries.")
        (entry,) = [entry for _, entry in read_log() if isinstance(entry, RestartEntry)]
        assert (entry.before, entry.size, entry.reason) == (name, 4, "The disk failed")
        assert signed_log().checkpoint.origin == f"{name}-2"
        assert verify_office().faults == []
        again = banzuke("log", "compare", mail)
        assert (again.status, "the log kept 3 when it began anew" in again.err) == (1, True)

    def test_an_old_mail_of_what_is_still_there(self, mail):
        grow()
        signed_log()
        cut()
        banzuke("log", "restart", "The disk failed")
        assert banzuke("log", "compare", mail).status == 0

    def test_in_a_folder_that_knows_no_checkpoint_a_mail_tells(self, mail):
        cut()
        kept_path().unlink()
        assert banzuke("log", "restart", "The disk failed").status == 2
        assert banzuke("log", "restart", "The disk failed", "--newest", mail).status == 0
        (entry,) = [entry for _, entry in read_log() if isinstance(entry, RestartEntry)]
        assert entry.size == 4

    def test_where_nobody_knows_what_was_signed(self, mail):
        kept_path().write_bytes(b"nothing\n")
        assert banzuke("log", "restart", "The folder was damaged").status == 0
        assert verify_office().faults == []
