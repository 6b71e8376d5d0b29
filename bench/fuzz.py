"""Damaged files into every reader, as the office runs it: in a process of its own, within its limits.

    python bench/fuzz.py [READER ...] [--inputs 100000] [--seconds 600] [--seed 1] [--data ../shared/data]

Real files (and files of our own making) are cut, spliced, repeated and sprinkled with the letters that their
format lives by; a spreadsheet is damaged inside its zip as well as outside. A process reads some hundred
inputs; where it ends, each is read again by itself. The table says what became of a reader's inputs: no
fault, faults, an error (which no reader may raise), an end (no answer within the limits of the office, or a
crash); the slowest, and the most memory. What broke a reader or took over two seconds is kept in a temporary
folder, and the exit status is 1. `--seconds` ends each reader's turn early.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import random
import sys
import tempfile
import time
import zipfile
from pathlib import Path
from typing import NamedTuple

import fuzz_seeds

from banzuke.core.fault import RefusedError
from banzuke.office.bounded_reading import SMALL, read_bounded

#: Seconds; the most bytes of an input; the inputs that one process reads.
SLOWEST = 2.0
LONGEST = 60_000
BATCH = 250
#: Letters and words that formats live by.
TOKENS = [
    *(b"\0", b"\xff", b"\xc3\xa9", b"\x82\xa0", b"\xef\xbb\xbf", b"\n", b"\r\n", b"\t", b" "),
    *(bytes([sign]) for sign in b",;\"'<>&[](){\\%"),
    *b"-1 0 1e999 NaN =1+1 12w1 * 1/2 +/- 2025-02-29 0000 ;B[aa] &b; &#0; <tr><td> </table> <player".split(),
    *(b"]]>", b"<!--", b"9" * 30, "½".encode(), b"001 ", b"012 ", b"JPN ", b'<!DOCTYPE a [<!ENTITY b "b">]>'),
]


class Tally(NamedTuple):
    """What became of a reader's inputs."""

    inputs: int = 0
    clean: int = 0
    faulty: int = 0
    errors: int = 0
    ended: int = 0
    slow: int = 0
    slowest: float = 0.0
    mebibytes: int = 0
    seconds: float = 0.0

    @property
    def broken(self) -> int:
        """How many inputs broke the reader."""
        return self.errors + self.ended + self.slow


def damaged(rng: random.Random, seed: bytes, seeds: list[bytes]) -> bytes:
    """A seed with one to eight damages."""
    if seed.startswith(b"PK") and rng.random() < 0.7:
        return _damaged_zip(rng, seed)
    data = bytearray(seed[: rng.choice((LONGEST, LONGEST, 3_000))])
    for _ in range(rng.choice((1, 1, 2, 3, 8))):
        _damage(rng, data, seeds)
    return bytes(data)


def _damage(rng: random.Random, data: bytearray, seeds: list[bytes]) -> None:
    at = rng.randrange(len(data) + 1)
    size = rng.choice((1, 1, 2, 8, 100, 1000))
    match rng.randrange(8):
        case 0:
            del data[at : at + size]
        case 1:
            data[at:at] = rng.choice(TOKENS) * rng.choice((1, 1, 1, 50))
        case 2:
            data[at : at + size] = rng.choice(TOKENS)
        case 3:
            other = rng.choice(seeds)
            start = rng.randrange(len(other) + 1)
            data[at : at + size] = other[start : start + size]
        case 4:
            data[at:at] = data[at : at + size] * rng.choice((1, 2, 20))
        case 5:
            del data[at:]
        case 6 if data:
            data[at % len(data)] = rng.randrange(256)
        case _:
            lines = data.split(b"\n")
            first, second = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            data[:] = b"\n".join(lines)


def _damaged_zip(rng: random.Random, seed: bytes) -> bytes:
    """The same zip with one of its files damaged."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(seed)) as packed, zipfile.ZipFile(made, "w") as written:
        names = packed.namelist()
        cells = [name for name in names if "sheet" in name.lower() or "shared" in name.lower()]
        victim = rng.choice(cells or names)
        for name in names:
            content = bytearray(packed.read(name))
            if name == victim:
                for _ in range(rng.choice((1, 2, 4))):
                    _damage(rng, content, [bytes(content)])
            written.writestr(name, bytes(content))
    return made.getvalue()


def run(name: str, seeds: list[bytes], inputs: int, seconds: int, seed: int, keep: Path) -> Tally:
    """Feed a reader; what breaks it is kept."""
    rng, began, tally = random.Random(f"{name} {seed}"), time.perf_counter(), Tally()
    while tally.inputs < inputs and time.perf_counter() - began < seconds:
        count = min(BATCH, inputs - tally.inputs)
        batch = [damaged(rng, rng.choice(seeds), seeds) for _ in range(count)]
        outcomes, mebibytes = _read(name, batch)
        for data, (kind, why, took) in zip(batch, outcomes, strict=True):
            is_slow = took > SLOWEST and kind in ("clean", "faulty")
            tally = _counted(tally, "slow" if is_slow else kind, took)
            if kind in ("errors", "ended") or is_slow:
                _keep(keep, f"{name}-{tally.broken}", data, why or f"{took:.1f} s")
        tally = tally._replace(mebibytes=max(tally.mebibytes, mebibytes))
    return tally._replace(seconds=time.perf_counter() - began)


def _counted(tally: Tally, kind: str, took: float) -> Tally:
    counted = {"inputs": tally.inputs + 1, kind: getattr(tally, kind) + 1}
    return tally._replace(**counted, slowest=max(tally.slowest, took))


def _read(name: str, batch: list[bytes]) -> tuple[list[fuzz_seeds.Outcome], int]:
    """What became of the inputs, read together; each by itself where their process ended."""
    began = time.perf_counter()
    try:
        return read_bounded(SMALL, fuzz_seeds.feed, name, batch)
    except RefusedError as refused:
        if len(batch) == 1:
            return [("ended", refused.faults[0].code, time.perf_counter() - began)], 0
    each = [_read(name, [data]) for data in batch]
    return [outcome for outcomes, _ in each for outcome in outcomes], max(most for _, most in each)


def _keep(folder: Path, name: str, data: bytes, why: str) -> None:
    (folder / name).write_bytes(data)
    (folder / f"{name}.why").write_text(why, "utf-8")


def _in_process(job: tuple[str, int, int, int, Path, Path]) -> tuple[str, Tally]:
    name, inputs, seconds, seed, data, keep = job
    return name, run(name, fuzz_seeds.seeds(data)[name], inputs, seconds, seed, keep)


def main() -> int:
    """Print the tally; 1 if anything broke a reader."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("readers", nargs="*")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=86_400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    said = parser.parse_args()
    keep = Path(tempfile.mkdtemp(prefix="banzuke-fuzz-"))
    names = said.readers or list(fuzz_seeds.seeds(said.data))
    jobs = [(name, said.inputs, said.seconds, said.seed, said.data, keep) for name in names]
    columns = "   inputs no fault   faults  errors   ended    slow   slowest  peak MiB  seconds"
    print(f"{'reader':20}{columns}")
    broken = 0
    with multiprocessing.Pool(maxtasksperchild=1) as pool:
        for name, tally in pool.imap_unordered(_in_process, jobs, chunksize=1):
            broken += tally.broken
            print(
                f"{name:20}{tally.inputs:9,}{tally.clean:9,}{tally.faulty:9,}{tally.errors:8,}{tally.ended:8,}"
                f"{tally.slow:8,}{tally.slowest:9.2f}s{tally.mebibytes:10,}{tally.seconds:9.0f}",
                flush=True,
            )
    print(f"broken: {broken}" + (f", kept in {keep}" if broken else ""))
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
