"""Statements on PostgreSQL past its driver's cursors: several go out together, for one wait.

In the driver's own pipeline each statement waits until it has gone out, which takes longer than most take
themselves. Here they are collected, and go out when something that one of them found is asked for.
"""

import select
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import lru_cache
from itertools import count
from threading import local
from typing import Any

from psycopg import Connection, OperationalError, pq
from psycopg.adapt import PyFormat, Transformer
from psycopg.errors import error_from_result

#: So many statements are kept prepared on a connection, and so many wait for others at the most.
MOST_PREPARED, MOST_WAITING = 200, 50
_GOOD = (pq.ExecStatus.COMMAND_OK, pq.ExecStatus.TUPLES_OK)
_FAILED = pq.TransactionStatus.INERROR


class PipelinedStatement:
    """A statement that goes out, now or with others, and what it found."""

    def __init__(
        self, pipeline: "StatementPipeline", text: str, values: Sequence[Any], *, is_repeated: bool
    ) -> None:
        self._pipeline = pipeline
        self.text = text
        self.values = values
        self.is_repeated = is_repeated
        self.rows: list[Any] | None = None

    def fetchall(self) -> list[Any]:
        """All rows."""
        if self.rows is None:
            self._pipeline.send()
        assert self.rows is not None
        return self.rows

    def fetchone(self) -> Any:
        """The first row; None where there is none."""
        rows = self.fetchall()
        return rows[0] if rows else None


class StatementPipeline:
    """Sends the statements of one connection; `errors` makes of the driver's errors what is raised.

    Where they are collected, whoever uses the connection otherwise has to call `send` before.
    """

    def __init__(self, driver: Connection[Any], errors: AbstractContextManager[Any]) -> None:
        self.driver = driver
        self._errors = errors
        self._is_collecting = False
        self._line = driver.pgconn
        self._waiting: list[PipelinedStatement] = []
        self._adapter = Transformer(driver)
        self._prepared: dict[str, bytes] = {}
        self._has_failed = False
        self._numbers = count()
        self._arriving = select.poll()
        self._arriving.register(self._line.socket, select.POLLIN)
        self._ready = select.poll()
        self._ready.register(self._line.socket, select.POLLIN | select.POLLOUT)

    def add(self, text: str, values: Sequence[Any], *, is_repeated: bool) -> PipelinedStatement:
        """A statement with marks `%s`; `is_repeated`: it is prepared, for others of the same text."""
        given = self._adapter.dump_sequence(values, [PyFormat.TEXT] * len(values)) if values else ()
        added = PipelinedStatement(self, text, given, is_repeated=is_repeated)
        self._waiting.append(added)
        if not self._is_collecting or len(self._waiting) >= MOST_WAITING:
            self.send()
        return added

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Within, statements wait for others; what waits after an error is never sent."""
        before, self._is_collecting = self._is_collecting, True
        try:
            yield
        except BaseException:
            self._waiting.clear()
            raise
        finally:
            self._is_collecting = before

    def send(self, *, commits: bool = False) -> None:
        """Send what waits, and take in what it finds; `commits`: the transaction is committed with it."""
        sent, self._waiting = self._waiting, []
        if not sent and not commits:
            return
        with self._errors:
            try:
                self._send(sent, commits)
            except BaseException:
                if self._line.pipeline_status:  # answers are still to come
                    self.driver.close()
                raise

    def _send(self, sent: Sequence[PipelinedStatement], commits: bool) -> None:
        end = [self._command("COMMIT")] if commits else []
        every = [*self._beginning(), *sent, *end]
        self._line.enter_pipeline_mode()
        steps = [step for each in every for step in self._send_one(each)]
        self._line.pipeline_sync()
        failed: BaseException | None = None
        tag: bytes | None = None
        for step, result in zip(steps, self._results(), strict=True):
            tag = result.command_status
            if result.status not in _GOOD:
                failed = failed or error_from_result(result, encoding="utf-8")
            elif step is not None:
                step.rows = self._rows_of(result)
        self._line.exit_pipeline_mode()
        if commits and failed is None and tag != b"COMMIT":
            failed = OperationalError("A transaction in which a statement had failed was to be committed.")
        if failed is not None:
            self._has_failed = True
            raise failed

    def _beginning(self) -> Iterator[PipelinedStatement]:
        """What has to go before all else."""
        status = self._line.transaction_status
        # After a failure all is prepared anew: some may not be, or be for tables that were altered since.
        if (self._has_failed or len(self._prepared) > MOST_PREPARED) and status != _FAILED:
            self._has_failed = False
            self._prepared.clear()
            yield self._command("DEALLOCATE ALL")
        if not self.driver.autocommit and status == pq.TransactionStatus.IDLE:
            yield self._command("BEGIN")

    def _command(self, text: str) -> PipelinedStatement:
        return PipelinedStatement(self, text, (), is_repeated=False)

    def _send_one(self, sent: PipelinedStatement) -> Iterator[PipelinedStatement | None]:
        """Send a statement, prepared before if it has to be; gives whose answers come (None: no rows)."""
        if not sent.is_repeated:
            self._line.send_query_params(_numbered(sent.text), sent.values)
        else:
            name = self._prepared.get(sent.text)
            if name is None:
                name = self._prepared[sent.text] = b"banzuke_%d" % next(self._numbers)
                self._line.send_prepare(name, _numbered(sent.text))
                yield None
            self._line.send_query_prepared(name, sent.values)
        yield sent

    def _rows_of(self, result: pq.abc.PGresult) -> list[Any]:
        if not result.nfields:
            return []
        self._adapter.set_pgresult(result)
        return self._adapter.load_rows(0, result.ntuples, tuple)

    def _results(self) -> Iterator[pq.abc.PGresult]:
        """What comes back for each step."""
        line = self._line
        while line.flush():  # not all of it went out yet
            if any(ready & ~select.POLLOUT for _, ready in self._ready.poll()):
                line.consume_input()
        while True:
            while line.is_busy():
                self._arriving.poll()
                line.consume_input()
            result = line.get_result()
            if result is None:
                if line.status == pq.ConnStatus.BAD:
                    raise OperationalError(line.error_message.decode(errors="replace"))
            elif result.status == pq.ExecStatus.PIPELINE_SYNC:
                return
            else:
                yield result


@lru_cache(MOST_PREPARED)
def _numbered(text: str) -> bytes:
    """The text with PostgreSQL's own marks: `$1`, `$2`."""
    first, *others = text.split("%s")
    return "".join([first, *(f"${at}{part}" for at, part in enumerate(others, 1))]).encode()


class _OfThread(local):
    pipeline: StatementPipeline | None = None


_of_thread = _OfThread()


def pipeline_of(driver: Connection[Any], errors: AbstractContextManager[Any]) -> StatementPipeline:
    """The pipeline of a connection, which is this thread's."""
    pipeline = _of_thread.pipeline
    if pipeline is None or pipeline.driver is not driver:
        pipeline = _of_thread.pipeline = StatementPipeline(driver, errors)
    return pipeline
