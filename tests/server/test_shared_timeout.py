"""Waiting for so many seconds and no longer."""

from __future__ import annotations

import asyncio

import pytest

from banzuke.server.gate.shared_timeout import SharedTimeout


def wait_for(*seconds, patience=0.2):
    """What becomes of waiting for things that come after so many seconds, a tenth of a second apart."""

    async def run():
        loop = asyncio.get_running_loop()
        made, waiting = SharedTimeout(patience, loop), []
        for each in seconds:
            waiting.append(asyncio.ensure_future(made.wait(asyncio.sleep(each, each))))
            await asyncio.sleep(0.1)
        found = await asyncio.gather(*waiting, return_exceptions=True)
        return [each if isinstance(each, float) else type(each) for each in found], made

    return asyncio.run(run())


def test_what_comes_in_time_and_what_does_not():
    found, made = wait_for(0.1, 60.0, 0.1, 60.0, 0.0)
    assert found == [0.1, TimeoutError, 0.1, TimeoutError, 0.0]
    assert (made._until, made._has_timer) == ({}, False)


def test_each_has_its_own_time():
    async def run():
        loop = asyncio.get_running_loop()
        patience, begun, ended = SharedTimeout(0.3, loop), loop.time(), []

        async def wait():
            with pytest.raises(TimeoutError):
                await patience.wait(asyncio.sleep(60))
            ended.append(loop.time() - begun)

        first = asyncio.ensure_future(wait())
        await asyncio.sleep(0.2)
        await asyncio.gather(first, wait())
        await asyncio.sleep(0.1)  # there is no timer now; the next one begins anew
        await wait()
        return ended

    first, second, third = asyncio.run(run())
    assert 0.3 <= first < 0.45 <= second < 0.85 <= third


def test_whom_somebody_else_ends_does_not_run_out_of_time():
    async def run(waits):
        patience = SharedTimeout(0.1, asyncio.get_running_loop())
        waiting = asyncio.ensure_future(patience.wait(asyncio.sleep(60)))
        await asyncio.sleep(0)
        if waits:  # both at once
            patience._until[waiting] = 0
            patience._end_late()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        assert not patience._until

    asyncio.run(run(waits=False))
    asyncio.run(run(waits=True))
