"""How well reported names are matched to members: a real register, its names made wrong in every usual way.

    python bench/matching.py [REGISTER] [--count 10000] [--seed 1]

REGISTER is a CSV file with an id, a Latin and a Japanese name in its first three columns. Prints how many noisy
names were taken for sure (rightly, wrongly), and for how many the right member stands first or among the first
three candidates, by kind of noise; the same with ids, right and wrong; players who are not in the register; and
times, also with 100,000 members. Noise that makes another member's name is left out. Ends with status 1 if
anybody was taken for somebody else.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import sys
import time
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rich.console import Console
from rich.table import Table

from banzuke.formats.report import ReportedPlayer
from banzuke.office.likeness import likeness
from banzuke.office.matching import Matcher
from banzuke.office.members import Member
from banzuke.office.names import normal_form

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

REGISTER = Path(__file__).resolve().parents[2] / "shared" / "data" / "jcf" / "jcf_players_ncs_id.csv"
LETTERS = "abcdefghijklmnopqrstuvwxyz"
FULL_WIDTH = {ord(sign): ord(sign) + 0xFEE0 for sign in LETTERS + LETTERS.upper()} | {ord(" "): "\u3000"}
HEPBURN = (
    ("shi", "si"),
    ("chi", "ti"),
    ("tsu", "tu"),
    ("fu", "hu"),
    ("ji", "zi"),
    ("sh", "sy"),
    ("ch", "ty"),
)
LONG = (("ou", "o"), ("oo", "o"), ("uu", "u"), ("ou", "oh"), ("oo", "oh"), ("ou", "ō"), ("uu", "ū"))
SHORT = (("o", "ou"), ("o", "oh"), ("o", "oo"), ("u", "uu"), ("o", "ō"), ("u", "ū"), ("o", "ô"))
OLD_KANJI = dict(zip("沢辺高崎斎斉浜広国島恵真桜渋", "澤邊髙﨑齋齊濱廣國嶋惠眞櫻澁", strict=True))
COLUMN, SHORT_COLUMN = 33, 12


def inserted(rng: random.Random, name: str) -> str:
    at = rng.randrange(len(name) + 1)
    return name[:at] + rng.choice(LETTERS) + name[at:]


def left_out(rng: random.Random, name: str) -> str:
    at = rng.randrange(len(name))
    return name[:at] + name[at + 1 :]


def replaced(rng: random.Random, name: str) -> str:
    at = rng.randrange(len(name))
    return name[:at] + rng.choice(LETTERS) + name[at + 1 :]


def transposed(rng: random.Random, name: str) -> str:
    at = rng.randrange(max(len(name) - 1, 1))
    return name[:at] + name[at : at + 2][::-1] + name[at + 2 :]


def two_typos(rng: random.Random, name: str) -> str:
    one, other = rng.choices((inserted, left_out, replaced, transposed), k=2)
    return other(rng, one(rng, name))


def turned(rng: random.Random, name: str) -> str:
    family, *given = name.split()
    return rng.choice(("{1} {0}", "{0}, {1}", "{1}, {0}")).format(family, " ".join(given))


def in_kunrei(rng: random.Random, name: str) -> str:
    return _exchanged(rng, name, HEPBURN)


def long_vowels(rng: random.Random, name: str) -> str:
    return _exchanged(rng, name, LONG) if re.search("ou|oo|uu", name) else _exchanged(rng, name, SHORT)


def n_or_m(rng: random.Random, name: str) -> str:
    return re.sub("n(?=[bpm])|m(?=[bpm])", lambda found: {"n": "m", "m": "n"}[found[0]], name)


def with_apostrophes(rng: random.Random, name: str) -> str:
    return re.sub("n(?=[aiueoy])", lambda _: rng.choice(("n'", "n-")), name, count=1)


def accents_lost(rng: random.Random, name: str) -> str:
    """Accents go; a name without one gets one that went wrong."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", name) if not unicodedata.combining(sign))
    if plain != name:
        return plain
    at = rng.choice([found.start() for found in re.finditer("[aeiou]", name.lower())] or [0])
    return name[:at] + rng.choice(("?", "\ufffd", "é", "ü", "ã")) + name[at + 1 :]


def other_case(rng: random.Random, name: str) -> str:
    return rng.choice((str.upper, str.lower, _family_in_capitals))(name)


def other_blanks(rng: random.Random, name: str) -> str:
    return rng.choice(("  ", " , ", "\u3000", "", "-", "_")).join(name.split())


def full_width(rng: random.Random, name: str) -> str:
    return name.translate(FULL_WIDTH)


def initials(rng: random.Random, name: str) -> str:
    family, *given = name.split()
    short = [f"{word[0]}." for word in given]
    return " ".join(rng.choice(([family, *short], [*short, family])))


def cut_off(rng: random.Random, name: str) -> str:
    """To the width of a tournament report's column, or of a page's narrow one."""
    return name[
        : COLUMN if len(name) > COLUMN else rng.randrange(SHORT_COLUMN, max(len(name), SHORT_COLUMN + 1))
    ]


def titled(rng: random.Random, name: str) -> str:
    return rng.choice(("{} (JPN)", "FM {}", "{} Dr.", "{} *")).format(name)


def _exchanged(rng: random.Random, name: str, pairs: tuple[tuple[str, str], ...]) -> str:
    """All of one or more pairs that the name has, one of them for sure."""
    words = name.lower()
    having = [pair for pair in pairs if pair[0] in words]
    for form, other in rng.sample(having, rng.randint(1, len(having))) if having else ():
        words = words.replace(form, other)
    return words.title()


def _family_in_capitals(name: str) -> str:
    family, *given = name.split()
    return " ".join((family.upper(), *given))


def old_kanji(rng: random.Random, name: str) -> str:
    return "".join(OLD_KANJI.get(sign, sign) for sign in name)


def kanji_joined(rng: random.Random, name: str) -> str:
    return rng.choice(("", "　", "  ")).join(name.split())


NOISE: dict[str, Callable[[random.Random, str], str]] = {
    "a letter inserted": inserted,
    "a letter left out": left_out,
    "a letter replaced": replaced,
    "two letters swapped": transposed,
    "two typos": two_typos,
    "words in another order": turned,
    "Kunrei for Hepburn": in_kunrei,
    "long vowels": long_vowels,
    "n or m": n_or_m,
    "apostrophe after n": with_apostrophes,
    "accents lost or broken": accents_lost,
    "case": other_case,
    "blanks, commas, hyphens": other_blanks,
    "full width": full_width,
    "initials": initials,
    "cut off": cut_off,
    "titles and countries": titled,
}
NATIVE_NOISE = {"old kanji": old_kanji, "kanji without blank": kanji_joined}


class Tally(NamedTuple):
    """What came of a kind of noise."""

    kind: str
    count: int = 0
    sure_right: int = 0
    sure_wrong: int = 0
    first: int = 0
    first_three: int = 0
    none: int = 0
    wrong: tuple[str, ...] = ()

    def with_one(self, found, right: str, reported: ReportedPlayer) -> Tally:
        """The tally after one find; who is sure stands first, too."""
        offered = [candidate.player_id for candidate in found.candidates]
        is_wrong = found.sure not in (None, right)
        said = f"{reported.name} [{reported.national_id or reported.fide_id}]: {found.sure}, not {right}"
        return Tally(
            self.kind,
            self.count + 1,
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
        self.names = {name.strip(): set() for member in members for name in member.names}
        for member in members:
            for name in member.names:
                self.names[name.strip()].add(member.player_id)

    def noisy(self, kind: str, count: int) -> Iterator[tuple[Member, str]]:
        """Members with one of their names in noise; not their name, nor another member's."""
        noise = NOISE.get(kind) or NATIVE_NOISE[kind]
        found = 0
        for _ in range(50 * count):
            member = self.rng.choice(self.members)
            name = member.names[kind in NATIVE_NOISE].strip()
            noisy = noise(self.rng, name) if name else name
            if noisy.strip() not in self.names and noisy.strip():
                found += 1
                yield member, noisy
            if found == count:
                return

    def without_ids(self, count: int) -> list[Tally]:
        """Each kind of noise, a name without any id."""
        kinds = [*NOISE, *NATIVE_NOISE]
        tallies = [
            self._tally(
                "none: as it stands", ((m, P(m.names[0])) for m in self.rng.choices(self.members, k=count))
            )
        ]
        for kind in kinds:
            tallies.append(self._tally(kind, ((m, P(name)) for m, name in self.noisy(kind, count))))
        return tallies

    def with_ids(self, count: int) -> list[Tally]:
        """Right and wrong ids, each with right and noisy names."""
        return [self._tally(kind, (make(self) for _ in range(count))) for kind, make in WITH_IDS.items()]

    def newcomers(self, count: int) -> Tally:
        """Players of one half of the register among the members of the other half: nobody may be sure."""
        half = self.rng.sample(self.members, len(self.members) // 2)
        known = {name.strip() for member in half for name in member.names}
        new = [
            m
            for m in self.members
            if m.player_id not in {h.player_id for h in half} and not known & {n.strip() for n in m.names}
        ]
        matcher, tally = Matcher(half), Tally("not in the register")
        for member in self.rng.choices(new, k=count):
            player = P(member.names[0], national_id="")
            tally = tally.with_one(matcher.find(player), "", player)
        return tally

    def _tally(self, kind: str, cases) -> Tally:
        tally = Tally(kind)
        for member, player in cases:
            tally = tally.with_one(self.matcher.find(player), member.player_id, player)
        return tally

    def any_noise(self, member: Member) -> str:
        """One of the member's Latin name's noises that is nobody's name."""
        while True:
            noisy = NOISE[self.rng.choice(list(NOISE))](self.rng, member.names[0].strip())
            if noisy.strip() not in self.names:
                return noisy

    def another(self, member: Member) -> Member:
        """Somebody else, of another name."""
        while True:
            other = self.rng.choice(self.members)
            if not {n.strip() for n in other.names} & {n.strip() for n in member.names}:
                return other

    def likest(self, member: Member) -> Member:
        """The other member with the likest Latin name (not the same)."""
        words = normal_form(member.names[0])
        others = (
            o
            for o in self.members
            if normal_form(o.names[0])[:1] == words[:1] and normal_form(o.names[0]) != words
        )
        return min(
            others, key=lambda o: likeness(words, normal_form(o.names[0])), default=self.another(member)
        )

    def slipped(self, player_id: str) -> str:
        """An id with one digit wrong or two swapped."""
        while True:
            at = self.rng.randrange(1, len(player_id))
            swapped = player_id[: at - 1] + player_id[at] + player_id[at - 1] + player_id[at + 1 :]
            wrong = player_id[:at] + self.rng.choice("0123456789") + player_id[at + 1 :]
            slip = self.rng.choice((swapped, wrong))
            if slip != player_id and slip[0] == player_id[0]:
                return slip


def P(name: str, national_id: str = "", fide_id: str = "") -> ReportedPlayer:  # noqa: N802 - a report's player
    return ReportedPlayer(1, name, fide_id, national_id)


def _case(
    make: Callable[[Bench, Member], ReportedPlayer],
) -> Callable[[Bench], tuple[Member, ReportedPlayer]]:
    def case(bench: Bench) -> tuple[Member, ReportedPlayer]:
        member = bench.rng.choice(bench.members)
        return member, make(bench, member)

    return case


WITH_IDS = {
    "right national id, right name": _case(lambda b, m: P(m.names[0], m.player_id)),
    "right national id, noisy name": _case(lambda b, m: P(b.any_noise(m), m.player_id)),
    "right national id, no name": _case(lambda b, m: P("", m.player_id)),
    "right FIDE id, right name": _case(lambda b, m: P(m.names[0], "", m.fide_id)),
    "right FIDE id, noisy name": _case(lambda b, m: P(b.any_noise(m), "", m.fide_id)),
    "another's national id, right name": _case(lambda b, m: P(m.names[0], b.another(m).player_id)),
    "another's national id, noisy name": _case(lambda b, m: P(b.any_noise(m), b.another(m).player_id)),
    "another's FIDE id, right name": _case(lambda b, m: P(m.names[0], "", b.another(m).fide_id)),
    "another's FIDE id, noisy name": _case(lambda b, m: P(b.any_noise(m), "", b.another(m).fide_id)),
    "id of the likest name, right name": _case(lambda b, m: P(m.names[0], b.likest(m).player_id)),
    "national id with a slip, right name": _case(lambda b, m: P(m.names[0], b.slipped(m.player_id))),
    "national id with a slip, noisy name": _case(lambda b, m: P(b.any_noise(m), b.slipped(m.player_id))),
    "right national, another's FIDE id": _case(lambda b, m: P(m.names[0], m.player_id, b.another(m).fide_id)),
    "another's national, right FIDE id": _case(lambda b, m: P(m.names[0], b.another(m).player_id, m.fide_id)),
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
    whole = Tally("all", *(sum(tally[at] for tally in tallies) for at in range(1, 7)))
    for tally in (*tallies, whole):
        shares = (
            f"{100 * part / max(tally.count, 1):.1f} %"
            for part in (tally.first, tally.first_three, tally.none)
        )
        made.add_row(
            tally.kind, f"{tally.count:,}", f"{tally.sure_right:,}", f"{tally.sure_wrong:,}", *shares
        )
    return made


def times(members: list[Member]) -> Table:
    """How long it takes, in this register and in one of 100,000 members."""
    made = Table(title="Times", title_justify="left")
    for column in ("members", "index", "a sure name", "a swapped name", "two typos", "a newcomer"):
        made.add_column(column, justify="right")
    copies = range(-(-100_000 // len(members)))
    many = [
        Member(
            f"{m.player_id}{n}",
            tuple(f"{name.strip()}{LETTERS[n % 26]}{LETTERS[n // 26 % 26]}" for name in m.names),
        )
        for n in copies
        for m in members
    ]
    for some in (members, many):
        start = time.perf_counter()
        bench = Bench(some, 1)
        took = [time.perf_counter() - start]
        chosen = bench.rng.choices(some, k=50)
        for name in (
            str,
            lambda n: turned(bench.rng, n),
            lambda n: two_typos(bench.rng, n),
            lambda n: "Zyx Wvutsa",
        ):
            names = [P(name(member.names[0].strip())) for member in chosen]
            start = time.perf_counter()
            for player in names:
                bench.matcher.find(player)
            took.append((time.perf_counter() - start) / len(names))
        made.add_row(f"{len(some):,}", f"{took[0]:.2f} s", *(f"{1000 * one:.2f} ms" for one in took[1:]))
    return made


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
    screen.print(table("Newcomers (sure would be wrong)", [new]))
    wrong = [line for tally in (*plain, *ids, new) for line in tally.wrong]
    for line in wrong[:50]:
        print("WRONG", line)
    screen.print(times(members))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
