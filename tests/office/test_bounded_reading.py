"""Files of strangers are read in a process with limits: what goes beyond them costs a refusal, nothing else."""

from __future__ import annotations

import heapq
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from banzuke.core.fault import RefusedError
from banzuke.office import bounded_reading
from banzuke.office.bounded_reading import Limits, ReadersBusyError, read_bounded, read_with_progress
from banzuke.words import fault_text

TIGHT = Limits(1, 200, 1)


def refusal(*given, limits=TIGHT):
    with pytest.raises(RefusedError) as refused:
        read_bounded(limits, *given)
    (fault,) = refused.value.faults
    return fault


class TestWhatIsRead:
    def test_comes_back_and_so_does_a_refusal(self):
        assert read_bounded(TIGHT, sorted, [3, 1, 2]) == [1, 2, 3]
        refusing = "from banzuke.core.fault import *\nrefuse_any([fault('a', 1, '', 'x')])"
        assert refusal(exec, refusing).file == "a"

    def test_so_does_how_far_it_is(self):
        said = []
        answer = read_with_progress(TIGHT, lambda *far: said.append(far), heapq.nlargest, 1, [7])
        assert (answer, said) == ([7], [(7,)])

    def test_starts_in_milliseconds(self):
        read_bounded(TIGHT, len, b"")
        began = time.perf_counter()
        for _ in range(5):
            read_bounded(TIGHT, len, b"x" * 100_000)
        assert time.perf_counter() - began < 5 * 0.05

    def test_knows_nothing_of_the_office(self, monkeypatch):
        monkeypatch.setenv("BANZUKE_SECRET_KEY", "hidden")
        bounded_reading._process.end()
        assert read_bounded(TIGHT, eval, "'hidden' in str(__import__('os').environ)") is False
        assert b"hidden" not in read_bounded(TIGHT, eval, "open('/proc/self/environ', 'rb').read()")
        assert read_bounded(TIGHT, eval, "'django' in __import__('sys').modules") is False
        files = read_bounded(TIGHT, eval, "__import__('os').listdir('/proc/self/fd')")
        assert len(files) == 5, "three, the channel, and the folder that it lists"


class TestBeyondTheLimits:
    def test_time(self):
        began = time.monotonic()
        fault = refusal(eval, "7 ** 10**9")  # in compiled code, which hears no signal of Python's
        assert fault.code == "inbox-slow"
        assert time.monotonic() - began < 3
        assert "longer than 1 seconds" in fault_text(fault, "en")

    def test_memory(self):
        faults = [refusal(bytearray, 10**9), refusal(eval, "[0] * 10**6")]
        assert [fault.code for fault in faults] == ["inbox-memory"] * 2
        assert "200MiB" in fault_text(faults[0], "ja")

    @pytest.mark.parametrize("end", [(os.abort,), (os._exit, 0), (eval, "1 / 0"), (signal.raise_signal, 9)])
    def test_a_reader_that_breaks(self, end):
        assert refusal(*end).code == "inbox-broke"
        assert read_bounded(TIGHT, len, b"") == 0

    def test_nothing_is_written(self, tmp_path):
        assert refusal(Path.write_text, tmp_path / "x", "x" * 10).code == "inbox-broke"
        assert (tmp_path / "x").read_text() == ""

    @pytest.mark.slow
    def test_many_at_once_leave_threads_that_answer(self):
        slow = [threading.Thread(target=refusal, args=(time.sleep, 9)) for _ in range(4)]
        for thread in slow:
            thread.start()
        time.sleep(0.2)
        with pytest.raises(ReadersBusyError):
            read_bounded(TIGHT, len, b"")
        for thread in slow:
            thread.join()
        assert read_bounded(TIGHT, len, b"") == 0


class TestOfOneReporter:
    @pytest.fixture
    def reading(self):
        """Start to read for a reporter; what became of it is in the list that is given back."""
        threads = []

        def start(whose, seconds=0.6):
            said = []

            def read():
                try:
                    said.append(read_bounded(Limits(9, 200), time.sleep, seconds, whose=whose))
                except ReadersBusyError as busy:
                    said.append(busy)

            threads.append(threading.Thread(target=read))
            threads[-1].start()
            time.sleep(0.1)
            return said

        yield start
        for thread in threads:
            thread.join()
        assert bounded_reading._reporters == {}

    def test_one_file_is_read_one_waits_and_others_come_in_between(self, reading):
        first, second, third = (reading("many") for _ in range(3))
        assert [type(said) for said in third] == [ReadersBusyError]
        assert read_bounded(TIGHT, len, b"", whose="other") == 0
        assert read_bounded(TIGHT, len, b"") == 0
        assert first == second == []

    @pytest.mark.slow
    def test_who_waits_too_long_is_told(self, reading, monkeypatch):
        monkeypatch.setattr(bounded_reading, "PATIENCE", 1)
        first, second = reading("many", 3), reading("many")
        time.sleep(1.5)
        assert [type(said) for said in second] == [ReadersBusyError]
        assert first == []


class TestItsProcess:
    def test_is_started_again_where_it_ended(self):
        read_bounded(TIGHT, len, b"")
        bounded_reading._process._running.process.kill()
        time.sleep(0.1)
        assert read_bounded(TIGHT, len, b"") == 0

    @pytest.mark.slow
    def test_ends_with_the_office_and_leaves_nothing_behind(self):
        """Killed while something is read: neither the process nor its copy stays."""
        program = (
            "import os, signal, threading, time; from banzuke.office import bounded_reading as b\n"
            "read = lambda: b.read_bounded(b.Limits(60, 200), time.sleep, 50)\n"
            "b.read_bounded(b.Limits(60, 200), len, b'')\n"
            "threading.Thread(target=read).start(); time.sleep(0.3)\n"
            "print(b._process._running.process.pid, flush=True); os.kill(os.getpid(), signal.SIGKILL)"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, check=False, timeout=30
        )
        group = int(done.stdout)
        for _ in range(100):
            try:
                os.killpg(group, 0)
            except ProcessLookupError:
                return
            time.sleep(0.05)
        pytest.fail("something is left")

    def test_no_copy_stays_as_a_zombie(self):
        refusal(os.abort)
        process = bounded_reading._process._running.process
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        until = time.monotonic() + 5
        while children.read_text() and time.monotonic() < until:
            time.sleep(0.01)
        assert children.read_text() == ""
