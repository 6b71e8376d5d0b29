"""The entries of the log: one form each, and nothing that could be read as another."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone

import pytest
from made_log import NAME, PUBLIC, made_list, made_log

from banzuke.cli import log_sentences
from banzuke.transparency.log_entries import (
    KINDS,
    AdjustmentEntry,
    ErasureEntry,
    FinalEntry,
    KeyEntry,
    RecordsEntry,
    RestartEntry,
    RulesEntry,
    entry_body,
    kind_of,
    moment_text,
    read_entry,
)
from banzuke.transparency.log_growth import LogGrowth, growth, growth_facts, read_growth
from banzuke.transparency.proof_error import ProofError
from banzuke.transparency.strict_text import json_text

AT = "2025-03-24T09:30:00Z"
ENTRIES = [
    read_entry(made_list("2025-03").body.encode()),
    read_entry(made_list("2025-03").body.encode())._replace(preliminary_until="2025-04-01", late=True),
    read_entry(made_list("2025-03").body.encode())._replace(events_sha256="ef" * 32, pool="囲碁"),
    RulesEntry("pool", AT, {"pool.toml": "01" * 32, "reform-2025.toml": "02" * 32}),
    AdjustmentEntry("pool", 41, 3, "05" * 32, AT),
    RecordsEntry("06" * 32, AT),
    FinalEntry("pool", "2025-03", 0, AT),
    ErasureEntry("pool", 17, 40, "cd" * 32, "ef" * 32, AT),
    RestartEntry(NAME, 5, "01" * 32, "a backup of before was restored", AT),
    KeyEntry((str(PUBLIC),), AT),
]


class TestEntries:
    def test_each_kind_is_tried_and_counted(self):
        assert {kind_of(entry) for entry in ENTRIES} == KINDS.keys()
        assert {*log_sentences.OTHERS, "list"} == KINDS.keys()

    @pytest.mark.parametrize("entry", ENTRIES, ids=kind_of)
    def test_there_and_back(self, entry):
        body = entry_body(entry)
        assert read_entry(body.encode()) == entry
        assert list(json.loads(body)) == sorted(json.loads(body))
        assert ": " not in body

    def test_what_says_nothing_is_not_there(self):
        assert not {"late", "preliminary_until"} & set(json.loads(entry_body(ENTRIES[0])))

    @pytest.mark.parametrize("entry", ENTRIES, ids=kind_of)
    def test_each_fact_is_needed_and_no_other_is_taken(self, entry):
        facts = json.loads(entry_body(entry))
        for name in facts.keys() - {"late", "preliminary_until"}:
            refused(facts | {name: [None]})
            refused({other: value for other, value in facts.items() if other != name})
        refused(facts | {"name": "A. Person"})
        refused(facts | {"kind": "other"})
        refused(facts | {"kind": ["list"]})

    @pytest.mark.parametrize(
        ("name", "value"),
        [("revision", -1), ("revision", True), ("revision", 1.0), ("revision", "1"), ("day", "2025-02-30"), ("day", "20250324"),
         ("sha256", "AB" * 32), ("sha256", "ab" * 31), ("root", "g" * 64), ("published", "2025-03-24T09:30:00"),
         ("published", "2025-03-24T09:30:00+00:00"), ("published", "2025-13-24T09:30:00Z"), ("late", False), ("late", 1),
         ("preliminary_until", None), ("pool", ""), ("list", 5), ("players", 2.5)],
    )  # fmt: skip
    def test_facts_are_of_their_kind(self, name, value):
        refused(json.loads(entry_body(ENTRIES[1])) | {name: value})

    @pytest.mark.parametrize("body", [b"", b"[]", b"1", b"null", b'{"kind":"final","at":"%s","list":"x","pool":"x","revision":1}' % AT.encode(),
        b' {"at":"%s","kind":"final","list":"x","pool":"x","revision":1}' % AT.encode(), b'{"at":"%s","kind":"final","list":"x","pool":"x","revision":1,"revision":1}' % AT.encode(),
        b'{"at":"%s","kind":"fin\\u0061l","list":"x","pool":"x","revision":1}' % AT.encode(), b"[" * 100_000, b"\xff", b'{"rows":NaN}'])  # fmt: skip
    def test_one_form_alone(self, body):
        with pytest.raises(ProofError):
            read_entry(body)

    def test_one_that_could_not_be_read_is_not_written(self):
        with pytest.raises(ProofError):
            entry_body(ENTRIES[0]._replace(sha256="x"))

    def test_moments_are_in_utc(self):
        moment = datetime(2025, 3, 24, 9, 30, 0, 999, UTC)
        assert moment_text(moment) == AT
        with pytest.raises(ValueError, match="2025"):
            moment_text(moment.astimezone(timezone(timedelta(hours=9))))


def refused(facts):
    with pytest.raises(ProofError):
        read_entry(json_text(facts).encode())


class TestGrowth:
    def grown(self, old, new):
        log = made_log()
        return growth(log.tree, old, new, [made.body for made in log.lists[old:new]])

    @pytest.mark.parametrize(("old", "new"), [(0, 5), (1, 5), (2, 3), (3, 5), (4, 5), (5, 5), (0, 0)])
    def test_there_and_back(self, old, new):
        found = read_growth(json.dumps(growth_facts(self.grown(old, new))).encode())
        assert found == self.grown(old, new)
        found.check(made_log().checkpoint(old), made_log().checkpoint(new))

    def check(self, **changed):
        found, log = self.grown(2, 5)._replace(**changed), made_log()
        with pytest.raises(ProofError) as refused:
            found.check(log.checkpoint(2), log.checkpoint(5))
        return refused.value.code

    def test_entries_are_those_of_the_log(self):
        entries = self.grown(2, 5).entries
        assert self.check(entries=(*entries[:2], entries[1])) == "other-entries"
        assert self.check(entries=entries[::-1]) == "other-entries"
        assert self.check(entries=entries[1:]) == "another-growth"
        assert self.check(entries=(*entries, entries[0])) == "another-growth"

    def test_sizes_and_path(self):
        found = self.grown(2, 5)
        assert self.check(old=1) == "another-growth"
        assert self.check(new=6) == "another-growth"
        assert self.check(path=found.path[::-1]) == "not-consistent"
        assert self.check(path=found.path[1:]) == "not-consistent"

    def test_of_another_log_or_another_past(self):
        log, found = made_log(), self.grown(2, 5)
        with pytest.raises(ProofError) as refused:
            found.check(log.checkpoint(2)._replace(origin="another"), log.checkpoint(5))
        assert refused.value.code == "another-log"
        with pytest.raises(ProofError) as refused:
            found.check(log.checkpoint(2)._replace(root=log.tree.root(3)), log.checkpoint(5))
        assert refused.value.code == "not-consistent"
        with pytest.raises(ProofError):
            found.check(log.checkpoint(5), log.checkpoint(2))

    @pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"[" * 100_000, b'{"old":0,"new":1,"path":["x"],"entries":[]}',
        b'{"old":0,"new":true,"path":[],"entries":[]}', b'{"old":0,"new":1,"path":["AAAA"],"entries":[]}',
        b'{"old":0,"new":1,"path":[],"entries":[1]}', b'{"old":0,"new":1,"path":1,"entries":[]}'])  # fmt: skip
    def test_what_is_no_answer(self, data):
        with pytest.raises(ProofError):
            read_growth(data)

    def test_a_path_for_two_trees_of_other_sizes(self):
        with pytest.raises(ProofError):
            LogGrowth(-1, 0, (), ()).check(made_log().checkpoint(1), made_log().checkpoint(1))
