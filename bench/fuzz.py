"""Damaged files into every reader: no traceback, nothing over two seconds, memory bounded.

    python bench/fuzz.py [READER ...] [--inputs 100000] [--seed 1] [--data ../shared/data]

Real files (and files of our own making) are cut, spliced, repeated and sprinkled with the letters that their
format lives by; a spreadsheet is damaged inside its zip as well as outside. Each reader runs in a process of
its own; the table says how many inputs it took, how many it read without a fault, the slowest, and the most
memory. Inputs that broke a reader are kept in a temporary folder, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import io
import multiprocessing
import random
import resource
import sys
import tempfile
import time
import traceback
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import fuzz_seeds

if TYPE_CHECKING:
    from collections.abc import Callable

SLOWEST = 2.0
LONGEST = 60_000
#: Letters and words that formats live by.
TOKENS = [
    *(b"\0", b"\xff", b"\xc3\xa9", b"\x82\xa0", b"\xef\xbb\xbf", b"\n", b"\r\n", b"\t", b" "),
    *(bytes([sign]) for sign in b",;\"'<>&[](){\\%"),
    *b"-1 0 1e999 NaN =1+1 12w1 * 1/2 +/- 2025-02-29 0000 ;B[aa] &b; &#0; <tr><td> </table> <player".split(),
    *(b"]]>", b"<!--", b"9" * 30, "½".encode(), b"001 ", b"012 ", b"JPN ", b'<!DOCTYPE a [<!ENTITY b "b">]>'),
]


class Tally(NamedTuple):
    """What became of a reader's inputs."""

    inputs: int
    clean: int
    broken: int
    slowest: float
    mebibytes: int
    seconds: float


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


def run(
    name: str, read: Callable[[bytes], object], seeds: list[bytes], inputs: int, seed: int, keep: Path
) -> Tally:
    """Feed a reader; what breaks it is kept."""
    rng, began = random.Random(f"{name} {seed}"), time.perf_counter()
    clean, broken, slowest = 0, 0, 0.0
    for _ in range(inputs):
        data = damaged(rng, rng.choice(seeds), seeds)
        start = time.perf_counter()
        try:
            clean += not read(data)
        except BaseException as error:  # a panic of a compiled part is none of Exception's
            if isinstance(error, (KeyboardInterrupt, SystemExit)):
                raise
            broken += 1
            _keep(keep, f"{name}-{broken}", data, traceback.format_exc())
        took = time.perf_counter() - start
        if took > SLOWEST:
            broken += 1
            _keep(keep, f"{name}-slow-{broken}", data, f"{took:.1f} s")
        slowest = max(slowest, took)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return Tally(inputs, clean, broken, slowest, peak, time.perf_counter() - began)


def _keep(folder: Path, name: str, data: bytes, why: str) -> None:
    (folder / name).write_bytes(data)
    (folder / f"{name}.why").write_text(why, "utf-8")


def _in_process(job: tuple[str, int, int, Path, Path]) -> tuple[str, Tally]:
    name, inputs, seed, data, keep = job
    reader = fuzz_seeds.readers(data)[name]
    return name, run(name, reader.faults_of, reader.seeds, inputs, seed, keep)


def main() -> int:
    """Print the tally; 1 if anything broke a reader."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("readers", nargs="*")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    said = parser.parse_args()
    keep = Path(tempfile.mkdtemp(prefix="banzuke-fuzz-"))
    names = said.readers or list(fuzz_seeds.readers(said.data))
    jobs = [(name, said.inputs, said.seed, said.data, keep) for name in names]
    columns = f"{'inputs':>9}{'no fault':>9}{'broken':>8}{'slowest':>10}{'peak MiB':>10}{'seconds':>9}"
    print(f"{'reader':20}{columns}")
    broken = 0
    with multiprocessing.Pool(maxtasksperchild=1) as pool:
        for name, tally in pool.imap_unordered(_in_process, jobs, chunksize=1):
            broken += tally.broken
            print(
                f"{name:20}{tally.inputs:9,}{tally.clean:9,}{tally.broken:8,}{tally.slowest:9.2f}s"
                f"{tally.mebibytes:10,}{tally.seconds:9.0f}",
                flush=True,
            )
    print(f"broken: {broken}" + (f", kept in {keep}" if broken else ""))
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
