"""The file of erased ids: each id is on the disk, and half a line takes no other one with it."""

from __future__ import annotations

import pytest

from banzuke.office import noted_ids
from banzuke.office.noted_ids import NotedErasure

FIRST = NotedErasure("japan", "J001", "2025-01-01")
SECOND = NotedErasure("go", "17", "2025-01-02", "ab12")


@pytest.fixture(autouse=True)
def home(settings, tmp_path):
    settings.HOME = tmp_path


def test_are_read_as_they_were_noted():
    noted_ids.note_ids([FIRST])
    noted_ids.note_ids([SECOND])
    assert list(noted_ids.noted_ids()) == [FIRST, SECOND]
    assert noted_ids.path().read_bytes().count(b"\n") == 2
    assert noted_ids.path().stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(("cut", "whole"), [(1, [FIRST, SECOND]), (9, [SECOND])])
def test_half_a_line_takes_no_other_id_with_it(cut, whole):
    """The disk was full, or the machine fell, while the first was written."""
    noted_ids.note_ids([FIRST])
    written = noted_ids.path().read_bytes()
    noted_ids.path().write_bytes(written[:-cut])
    noted_ids.note_ids([SECOND])
    assert list(noted_ids.noted_ids()) == whole


def test_the_disk_keeps_the_name_of_a_new_file(monkeypatch):
    kept = []
    monkeypatch.setattr(noted_ids, "keep_name", kept.append)
    noted_ids.note_ids([FIRST])
    noted_ids.note_ids([SECOND])
    assert kept == [noted_ids.path().parent]
