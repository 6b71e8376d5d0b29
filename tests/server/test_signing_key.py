"""The key that signs sessions: one, however many processes start at once, and never a half of one."""

from __future__ import annotations

import os
import stat
from multiprocessing import get_context
from threading import Timer

import pytest

from banzuke.core.fault import RefusedError
from banzuke.server import signing_key
from banzuke.server.signing_key import secret_key

AT_ONCE, TIMES = 4, 25


@pytest.fixture(autouse=True)
def _without_one_of_the_environment(monkeypatch):
    monkeypatch.delenv("BANZUKE_SECRET_KEY", raising=False)


def keys_made(homes, barrier, answers):
    found = []
    for home in homes:
        barrier.wait()
        found.append(secret_key(home))
    answers.put(found)


def test_processes_that_start_at_once_have_one_key(tmp_path):
    homes = [tmp_path / str(number) for number in range(TIMES)]
    processes = get_context("fork")
    barrier, answers = processes.Barrier(AT_ONCE), processes.Queue()
    started = [processes.Process(target=keys_made, args=(homes, barrier, answers)) for _ in range(AT_ONCE)]
    for process in started:
        process.start()
    found = [answers.get(timeout=60) for _ in started]
    for process in started:
        process.join()
    assert found == [[(home / "secret-key").read_text("ascii") for home in homes]] * AT_ONCE
    assert all(len(key) > 60 for key in found[0])
    assert len(set(found[0])) == TIMES
    assert {path.name for home in homes for path in home.iterdir()} == {"secret-key"}
    assert {stat.S_IMODE((home / "secret-key").stat().st_mode) for home in homes} == {0o600}


def test_a_key_that_another_process_is_writing_is_waited_for(tmp_path):
    path = tmp_path / "secret-key"
    tmp_path.chmod(0o700)
    path.write_text("k" * 20, "ascii")
    writer = Timer(0.15, path.write_text, ["k" * 60, "ascii"])
    writer.start()
    assert secret_key(tmp_path) == "k" * 60
    writer.join()


@pytest.mark.parametrize("kept", [b"", b" " * 60, b"k" * 31, "鍵".encode() * 30])
def test_a_file_without_a_key_is_said(kept, tmp_path, monkeypatch):
    monkeypatch.setattr(signing_key, "BETWEEN", 0)
    (tmp_path / "secret-key").write_bytes(kept)
    with pytest.raises(RefusedError) as refused:
        secret_key(tmp_path)
    assert [each.code for each in refused.value.faults] == ["setting-key-file"]
    assert (tmp_path / "secret-key").read_bytes() == kept


def test_a_full_disk_leaves_nothing(tmp_path, monkeypatch):
    def fail(_handle):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="space"):
        secret_key(tmp_path / "home")
    assert list((tmp_path / "home").iterdir()) == []
