"""The record of a list: there and back, and what is none."""

from __future__ import annotations

import json

import pytest
from made_log import made_log

from banzuke.transparency.list_records import (
    FILES,
    ListRecord,
    PlaceInLog,
    RecordFile,
    read_record,
    record_text,
)
from banzuke.transparency.log_entries import read_entry
from banzuke.transparency.proof_error import ProofError


def record(at=2):
    log = made_log()
    entry = read_entry(log.lists[at].body.encode())
    return ListRecord(
        entry.pool, entry.list, entry.revision, entry.number, entry.day, entry.entry, entry.published, entry.sha256,
        "a-book", {"E1": "桜"}, {name: RecordFile(file, "ab" * 32, 12) for name, file in FILES.items()},
        PlaceInLog("../../../log/", log.note().decode(), at, log.lists[at].body, tuple(log.tree.inclusion_path(at))),
        "CC BY 4.0", stand_ins=True,
    )  # fmt: skip


def code(facts):
    with pytest.raises(ProofError) as refused:
        read_record(json.dumps(facts).encode())
    return refused.value.code


class TestRecords:
    def test_there_and_back(self):
        assert read_record(record_text(record()).encode()) == record()
        assert "桜" in record_text(record())

    def test_what_is_added_later_is_passed_over(self):
        assert read_record(json.dumps(json.loads(record_text(record())) | {"more": 1}).encode()) == record()

    def test_what_is_changed_later_is_not_guessed(self):
        assert code(json.loads(record_text(record())) | {"version": 2}) == "newer-record"

    def test_each_fact_is_needed_and_of_its_kind(self):
        facts = json.loads(record_text(record()))
        for name in facts.keys() - {"stand_ins"}:
            assert code({key: value for key, value in facts.items() if key != name}) == "no-record"
        for name in facts.keys() - {"version", "stand_ins"}:
            assert code(facts | {name: [None]}) == "no-record"
        for name in ("address", "sha256", "bytes"):
            assert code(facts | {"files": facts["files"] | {"people": {name: None}}}) == "no-record"
        for name in facts["log"]:
            assert code(facts | {"log": facts["log"] | {name: -1.5}}) == "no-record"

    @pytest.mark.parametrize("data", [b"", b"[]", b"1", b"[" * 100_000, b"\xff"])
    def test_what_is_none(self, data):
        with pytest.raises(ProofError):
            read_record(data)
