"""How fast FIDE's rating lists are read, and in how much memory: text of all speeds and of one, zipped, XML.

    python bench/fide_list.py [PLAYERS]

Makes a list of as many made-up players (1,700,000 unless told) in a temporary folder. Each way of reading is
a process of its own, so that its peak memory is its own: all of it, the interpreter included.
"""

from __future__ import annotations

import random
import resource
import subprocess
import sys
import tempfile
import time
import zipfile
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

from banzuke.exchange.fide_lookup import find_players
from banzuke.formats.fide.fide_file import read_players
from banzuke.formats.fide.fide_player import FidePlayer
from banzuke.formats.fide.fide_text import write_txt
from banzuke.formats.fide.fide_xml import write_xml

if TYPE_CHECKING:
    from collections.abc import Iterator

    from banzuke.core.fault import Fault

PLAYERS = 1_700_000
FEDERATIONS = ("IND", "RUS", "GER", "ESP", "FRA", "JPN", "POL", "USA", "TUR", "IRI")
MONTH = b"JAN26 Gms K  B-day Flag"


def made_up(count: int) -> Iterator[FidePlayer]:
    """Players as FIDE's list has them: two in five rated, few with games in the month."""
    rng = random.Random(7)
    for number in range(count):
        rated = rng.random() < 0.4
        three = (_rating(rng, has_one=rated and rng.random() < 0.6) for speed in range(3))
        ratings: dict[str, Any] = dict(zip(FidePlayer._fields[8:17], chain(*three), strict=True))
        yield FidePlayer(
            str(1_000_000 + 17 * number),
            f"Family{number % 50_021}, Given {number % 997}",
            rng.choice(FEDERATIONS),
            rng.choice("MF"),
            rng.choice(("",) * 20 + ("CM", "FM")),
            **ratings,
            birth_year=rng.randrange(1940, 2019),
            flag=rng.choice(("", "", "i", "w")),
        )


def _rating(rng: random.Random, *, has_one: bool) -> tuple[int | None, int | None, int | None]:
    if not has_one:
        return None, None, None
    return rng.randrange(1400, 2500), rng.choice((0,) * 9 + (rng.randrange(1, 15),)), rng.choice((10, 20, 40))


def write(folder: Path, count: int) -> list[Path]:
    """The list in every form."""
    combined, single = folder / "players_list_foa.txt", folder / "standard_jan26frl.txt"
    packed, xml = folder / "players_list.zip", folder / "players_list_xml_foa.xml"
    with combined.open("wb") as whole, single.open("wb") as one:
        for number, line in enumerate(write_txt(made_up(count), combined.name)):
            whole.write(line)
            one.write(line[:113] + (line[113:126] + line[152:] if number else MONTH + b"\r\n"))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        file.write(combined, combined.name)
    with xml.open("wb") as file:
        file.writelines(write_xml(made_up(count), xml.name))
    return [combined, single, packed, xml]


def measure(how: str, path: Path) -> None:
    """Print the seconds, the players and the peak memory (MiB) of one reading."""
    faults: list[Fault] = []
    begin = time.perf_counter()
    if how == "find":
        found, faults = find_players(path, ["family7 given 7", "1000017"], None, lambda *_: None)
        players = sum(sought.total for sought in found)
    else:
        with path.open("rb") as stream:
            players = sum(1 for _ in read_players(stream, path.name, faults))
    seconds = time.perf_counter() - begin
    assert not faults, faults[:3]
    print(seconds, players, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)


def main(count: int) -> None:
    """Make the list, read it in every form, print a table."""
    table = Table("", "MB", "seconds", "players/s", "peak MiB", title=f"{count:,} players")
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        paths = write(Path(folder), count)
        print(f"written in {time.perf_counter() - begin:.1f} s (text twice, zip, XML)")
        for how, path in [*(("read", path) for path in paths), ("find", paths[0])]:
            done = subprocess.run(
                [sys.executable, __file__, how, str(path)], check=True, capture_output=True, text=True
            )
            seconds, players, peak = done.stdout.split()
            assert how == "find" or int(players) == count
            size, speed = path.stat().st_size // 10**6, count / float(seconds)
            row = (f"{how} {path.name}", f"{size:,}", f"{float(seconds):.1f}", f"{speed:,.0f}", peak)
            table.add_row(*row)
    Console(width=100).print(table)


if __name__ == "__main__":
    if sys.argv[1:2] in (["read"], ["find"]):
        measure(sys.argv[1], Path(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else PLAYERS)
