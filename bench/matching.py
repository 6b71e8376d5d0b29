"""How well reported names are matched to members: a real register, its names made wrong in every usual way.

    python bench/matching.py [REGISTER] [--count 10000] [--seed 1]

REGISTER is a CSV file with an id, a Latin and a Japanese name in its first three columns. Prints how many
noisy names were taken for sure (rightly, wrongly), and for how many the right member stands first or among
the first three candidates, by kind of noise; the same with ids, right and wrong; players who are not in the
register; and times, also with 100,000 members. Noise that makes another member's name is left out. Ends with
status 1 if a member was taken for another one, or a newcomer without a relative's id for a member: a newcomer
with the id of a member whose name holds the reported one cannot be told from that member.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from name_noise import LETTERS, NATIVE_NOISE, NOISE, turned, two_typos
from rich.console import Console
from rich.table import Table

from banzuke.exchange.member_index import Member
from banzuke.exchange.name_likeness import likeness, normal_form
from banzuke.exchange.player_matching import Matcher
from banzuke.formats.report import ReportedPlayer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from banzuke.exchange.player_matching import MatchResult

REGISTER = Path(__file__).resolve().parents[2] / "shared" / "data" / "jcf" / "jcf_players_ncs_id.csv"
#: Whom a newcomer is.
NOBODY = Member("", ())


class Tally(NamedTuple):
    """What came of a kind of noise."""

    kind: str
    cases: int = 0
    sure_right: int = 0
    sure_wrong: int = 0
    first: int = 0
    first_three: int = 0
    none: int = 0
    wrong: tuple[str, ...] = ()

    def with_one(self, found: MatchResult, right: str, reported: ReportedPlayer) -> Tally:
        """The tally after one find; who is sure stands first, too."""
        offered = [candidate.player_id for candidate in found.candidates]
        is_wrong = found.sure not in (None, right)
        said = f"{reported.name} [{reported.national_id or reported.fide_id}]: {found.sure}, not {right}"
        return Tally(
            self.kind,
            self.cases + 1,
            self.sure_right + (found.sure == right),
            self.sure_wrong + is_wrong,
            self.first + (offered[:1] == [right]),
            self.first_three + (right in offered[:3]),
            self.none + (not offered),
            (*self.wrong, said) if is_wrong else self.wrong,
        )


class Bench:
    """A register and the dice."""

    def __init__(self, members: list[Member], seed: int) -> None:
        self.rng, self.members = random.Random(seed), members
        self.matcher = Matcher(members)
        self.names = {name.strip() for member in members for name in member.names}
        self.forms = {member.player_id: normal_form(member.names[0]) for member in members}

    def without_ids(self, count: int) -> list[Tally]:
        """Each kind of noise, a name without any id."""
        chosen = self.rng.choices(self.members, k=count)
        as_they_stand = self.tally("none: as it stands", ((m, player(m.names[0])) for m in chosen))
        return [
            as_they_stand,
            *(
                self.tally(kind, ((m, player(name)) for m, name in self.noisy(kind, count)))
                for kind in (*NOISE, *NATIVE_NOISE)
            ),
        ]

    def with_ids(self, count: int) -> list[Tally]:
        """Right and wrong ids, each with right and noisy names."""
        return [
            self.tally(kind, ((m, make(self, m)) for m in self.rng.choices(self.members, k=count)))
            for kind, make in WITH_IDS.items()
        ]

    def newcomers(self, count: int) -> list[Tally]:
        """Players of one half of the register among the members of the other: nobody should be sure."""
        half = self.rng.sample(self.members, len(self.members) // 2)
        known = Bench(half, self.rng.randrange(1000))
        new = [m for m in self.members if not known.names & {name.strip() for name in m.names}]
        chosen = self.rng.choices(new, k=count)
        alone = ((NOBODY, player(m.names[0])) for m in chosen)
        strangers = ((NOBODY, player(m.names[0], self.rng.choice(half).player_id)) for m in chosen)
        relatives = ((NOBODY, player(m.names[0], known.likest(m).player_id)) for m in chosen)
        return [
            known.tally("no id", alone),
            known.tally("a member's id", strangers),
            known.tally("the id of the likest name", relatives),
        ]

    def tally(self, kind: str, cases: Iterable[tuple[Member, ReportedPlayer]]) -> Tally:
        """What comes of cases: a reported player, and which member it is."""
        tally = Tally(kind)
        for member, reported in cases:
            tally = tally.with_one(self.matcher.find(reported), member.player_id, reported)
        return tally

    def noisy(self, kind: str, count: int) -> Iterator[tuple[Member, str]]:
        """Members with one of their names in noise; not their name, nor another member's."""
        noise = NOISE.get(kind) or NATIVE_NOISE[kind]
        found = 0
        for member in self.rng.choices(self.members, k=50 * count):
            name = member.names[kind in NATIVE_NOISE].strip()
            noisy = noise(self.rng, name)
            if noisy.strip() not in self.names:
                found += 1
                yield member, noisy
            if found == count:
                return

    def any_noise(self, member: Member) -> str:
        """The member's Latin name in some noise that makes nobody's name."""
        while True:
            noisy = NOISE[self.rng.choice(list(NOISE))](self.rng, member.names[0].strip())
            if noisy.strip() not in self.names:
                return noisy

    def another(self, member: Member) -> Member:
        """Somebody else, of another name."""
        while True:
            other = self.rng.choice(self.members)
            if self.forms[other.player_id] != normal_form(member.names[0]):
                return other

    def likest(self, member: Member) -> Member:
        """Of the same first word the member with the likest Latin name, not in all words the same."""
        words = normal_form(member.names[0])
        same = (m for m in self.members if self.forms[m.player_id][:1] == words[:1])
        others = (m for m in same if self.forms[m.player_id] != words)
        return min(
            others, key=lambda m: likeness(words, self.forms[m.player_id]), default=self.another(member)
        )

    def slipped(self, player_id: str) -> str:
        """An id with one digit wrong or two swapped."""
        while True:
            at = self.rng.randrange(1, len(player_id) - 1)
            swapped = player_id[:at] + player_id[at : at + 2][::-1] + player_id[at + 2 :]
            wrong = player_id[:at] + self.rng.choice("0123456789") + player_id[at + 1 :]
            slip = self.rng.choice((swapped, wrong))
            if slip != player_id:
                return slip


def player(name: str, national_id: str = "", fide_id: str = "") -> ReportedPlayer:
    """A report's player."""
    return ReportedPlayer(1, name, fide_id, national_id)


#: Cases with ids: a reported player made of a member.
WITH_IDS: dict[str, Callable[[Bench, Member], ReportedPlayer]] = {
    "right national id, right name": lambda _, m: player(m.names[0], m.player_id),
    "right national id, noisy name": lambda b, m: player(b.any_noise(m), m.player_id),
    "right national id, no name": lambda _, m: player("", m.player_id),
    "right FIDE id, right name": lambda _, m: player(m.names[0], "", m.fide_id),
    "right FIDE id, noisy name": lambda b, m: player(b.any_noise(m), "", m.fide_id),
    "another's national id, right name": lambda b, m: player(m.names[0], b.another(m).player_id),
    "another's national id, noisy name": lambda b, m: player(b.any_noise(m), b.another(m).player_id),
    "another's FIDE id, right name": lambda b, m: player(m.names[0], "", b.another(m).fide_id),
    "another's FIDE id, noisy name": lambda b, m: player(b.any_noise(m), "", b.another(m).fide_id),
    "id of the likest name, right name": lambda b, m: player(m.names[0], b.likest(m).player_id),
    "id of the likest name, noisy name": lambda b, m: player(b.any_noise(m), b.likest(m).player_id),
    "national id with a slip, right name": lambda b, m: player(m.names[0], b.slipped(m.player_id)),
    "national id with a slip, noisy name": lambda b, m: player(b.any_noise(m), b.slipped(m.player_id)),
    "right national, another's FIDE id": lambda b, m: player(m.names[0], m.player_id, b.another(m).fide_id),
    "another's national, right FIDE id": lambda b, m: player(m.names[0], b.another(m).player_id, m.fide_id),
}


def register(path: Path) -> list[Member]:
    """The members of a register file, with made-up FIDE ids."""
    with path.open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.reader(stream))[1:]
    return [Member(row[0], (row[1], row[2]), str(24_000_000 + 7 * n)) for n, row in enumerate(rows)]


def table(title: str, tallies: list[Tally]) -> Table:
    """The tallies with their sum."""
    made = Table(title=title, title_justify="left")
    for column in ("kind", "names", "sure right", "sure wrong", "first right", "in first three", "nobody"):
        made.add_column(column, justify="left" if column == "kind" else "right")
    whole = Tally("all", *map(sum, zip(*(tally[1:7] for tally in tallies), strict=True)))
    for tally in (*tallies, whole):
        shares = (
            f"{100 * part / max(tally.cases, 1):.1f} %"
            for part in (tally.first, tally.first_three, tally.none)
        )
        made.add_row(
            tally.kind, f"{tally.cases:,}", f"{tally.sure_right:,}", f"{tally.sure_wrong:,}", *shares
        )
    return made


def times(members: list[Member]) -> Table:
    """How long it takes, in this register and in one of 100,000 members with a Latin and a Japanese name."""
    made = Table(title="Times", title_justify="left")
    for column in ("members", "index", "a sure name", "a swapped name", "two typos", "a newcomer"):
        made.add_column(column, justify="right")
    for some in (members, multiplied(members, 100_000)):
        start = time.perf_counter()
        matcher = Matcher(some)
        took = time.perf_counter() - start
        rng = random.Random(1)
        names = [member.names[0].strip() for member in rng.choices(some, k=50)]
        kinds = (
            names,
            [turned(rng, name) for name in names],
            [two_typos(rng, name) for name in names],
            ["Zyx Wvutsa"] * 50,
        )
        each = (f"{1000 * time_of(matcher, kind):.2f} ms" for kind in kinds)
        made.add_row(f"{len(some):,}", f"{took:.2f} s", *each)
    return made


def multiplied(members: list[Member], count: int) -> list[Member]:
    """At least that many members: those given again and again, two letters more to each name."""
    return [
        Member(
            f"{member.player_id}{n}",
            tuple(name.strip() + LETTERS[n % 26] + LETTERS[n // 26] for name in member.names),
        )
        for n in range(-(-count // len(members)))
        for member in members
    ]


def time_of(matcher: Matcher, names: list[str]) -> float:
    """Seconds to find one of the names."""
    start = time.perf_counter()
    for name in names:
        matcher.find(player(name))
    return (time.perf_counter() - start) / len(names)


def main() -> int:
    """Print the tables; 1 if anybody was taken for somebody else."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("register", nargs="?", type=Path, default=REGISTER)
    parser.add_argument(
        "--count", type=int, default=10_000, help="noisy names without ids, and cases with ids"
    )
    parser.add_argument("--seed", type=int, default=1)
    said = parser.parse_args()
    members = register(said.register)
    bench = Bench(members, said.seed)
    plain = bench.without_ids(-(-said.count // (len(NOISE) + len(NATIVE_NOISE))))
    ids = bench.with_ids(-(-said.count // len(WITH_IDS)))
    new = bench.newcomers(-(-said.count // 10))
    screen = Console(width=120)
    screen.print(table(f"{len(members):,} members; a name, no id", plain))
    screen.print(table("With ids", ids))
    screen.print(table("Newcomers: anybody sure is wrong", new))
    wrong = [line for tally in (*plain, *ids, *new[:2]) for line in tally.wrong]
    for line in wrong[:50]:
        print("WRONG", line)
    screen.print(times(members))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
