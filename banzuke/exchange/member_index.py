"""A register's members, found by id and by name: as it stands, in normal form, nearly."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from heapq import nsmallest
from typing import NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import LCSseq

from banzuke.core.facts import fide_number
from banzuke.exchange.name_likeness import CUT, NEAR, Words, is_part, normal_form, rotations
from banzuke.ledger.folder import ChessLedger, Ledger
from banzuke.ledger.records import standing_records

#: How many of the nearest names a search gives for each order of the words.
MOST_NEAR = 20


class Member(NamedTuple):
    """What is known of a member: the names (in any writing) and what else tells them from others."""

    player_id: str
    names: tuple[str, ...]
    fide_id: str = ""
    birth_date: date | None = None
    sex: str = ""

    @property
    def national_id(self) -> str:
        """The member's id, as far as it is not FIDE's: then no national one is known."""
        return "" if self.player_id == self.fide_id else self.player_id


class Name(NamedTuple):
    """A name as it stands, without blanks around it, and in normal form."""

    written: str
    words: Words


def name_of(written: str) -> Name:
    """A name with its normal form."""
    return Name(written.strip(), normal_form(written))


def members(ledger: Ledger) -> list[Member]:
    """Everybody in a ledger, by rows that are not struck; in a FIDE pool ids of digits are FIDE's."""
    if not isinstance(ledger, ChessLedger):
        return [Member(player.player_id, (player.name,)) for player in ledger.players]
    is_fide = ledger.pool.has_fide_ids
    return [
        Member(
            player.player_id,
            (player.name, player.name_native),
            fide_number(player, has_fide_ids=is_fide),
            player.birth_date,
            player.sex,
        )
        for player in standing_records(ledger.players, None)
    ]


class _Forms:
    """Names in normal form with their bearers, searched by their words and for near ones."""

    def __init__(self) -> None:
        self._bearers: list[tuple[str, Words]] = []
        self._of_word: defaultdict[str, list[int]] = defaultdict(list)
        self._of_form: dict[str, list[int]] = {}
        self._short: set[int] = set()
        self._long: set[int] = set()
        self._of_length: defaultdict[int, list[str]] = defaultdict(list)

    def add(self, player_id: str, words: Words) -> None:
        at, form = len(self._bearers), " ".join(words)
        for word in words:
            self._of_word[word].append(at)
            if len(word) == 1:
                self._short.add(at)
        if len(form) >= CUT:
            self._long.add(at)
        if form not in self._of_form:
            self._of_form[form] = []
            self._of_length[len(form)].append(form)
        self._of_form[form].append(at)
        self._bearers.append((player_id, words))

    def of_part(self, words: Words) -> set[str]:
        """Who has a word in common, and of whose name it is a part, or which is a part of theirs.

        Without a single letter in either that takes two words in common, or two long names (`is_part`).
        """
        shared = [at for word in words if len(word) > 1 for at in self._of_word.get(word, ())]
        sharing = set(shared)
        if all(len(word) > 1 for word in words):
            seldom = self._short if len(" ".join(words)) < CUT else self._short | self._long
            sharing = {at for at, count in Counter(shared).items() if count > 1} | (sharing & seldom)
        bearers = [self._bearers[at] for at in sharing]
        return {player_id for player_id, others in bearers if is_part(words, others)}

    def near(self, words: Words) -> set[str]:
        """Who bears the nearest names: of names that are equally near those known first."""
        forms = self._sharing_letters(" ".join(words))
        return {player_id for turn in rotations(words) for player_id in self._nearest(" ".join(turn), forms)}

    def _sharing_letters(self, whole: str) -> list[str]:
        """The names that can be near to that one or a turn of it: one look at each name tells of all turns.

        Two names' ratio is twice the letters that stand in one order in both, by the letters of both
        (`name_likeness.py`), and all rotations of a name stand in the name written twice.
        """
        twice, found = f"{whole} {whole}", []
        for length, forms in self._of_length.items():
            least = -(-NEAR * (len(whole) + length) // 200)
            if least <= min(len(whole), length):
                sharing = process.extract(
                    twice, forms, scorer=LCSseq.similarity, score_cutoff=least, limit=None
                )
                found += [form for form, _, _ in sharing]
        return found

    def _nearest(self, wanted: str, forms: list[str]) -> Iterator[str]:
        found = process.extract(wanted, forms, scorer=fuzz.ratio, score_cutoff=NEAR, limit=None)
        each = ((-ratio, at) for form, ratio, _ in found for at in self._of_form[form])
        return (self._bearers[at][0] for _, at in nsmallest(MOST_NEAR, each))


class Members:
    """A register that is searched; members may be added while it is in use."""

    def __init__(self, known: Iterable[Member]) -> None:
        self._members: dict[str, Member] = {}
        self._names: dict[str, tuple[Name, ...]] = {}
        self._of_fide_id: dict[str, tuple[str, ...]] = {}
        self._of_plain_id: dict[str, tuple[str, ...]] = {}
        self._of_name: dict[str, tuple[str, ...]] = {}
        self._of_form: dict[str, tuple[str, ...]] = {}
        self._latin, self._other = _Forms(), _Forms()
        self._shapes: set[str] = set()
        for member in known:
            self.add(member)

    def __contains__(self, player_id: str) -> bool:
        return player_id in self._members

    def __getitem__(self, player_id: str) -> Member:
        return self._members[player_id]

    def add(self, member: Member) -> None:
        """Know a member; of one who is known already, the further names and the newest of the rest."""
        player_id = member.player_id
        self._members[player_id] = member
        if member.national_id:
            self._shapes.add(_shape(player_id))
            _note(self._of_plain_id, plain_id(player_id), player_id)
        if member.fide_id:
            _note(self._of_fide_id, member.fide_id, player_id)
        known = self._names.get(player_id, ())
        new = [name_of(written) for written in dict.fromkeys(member.names) if written.strip()]
        self._names[player_id] = known + tuple(name for name in new if name not in known)
        for name in self._names[player_id][len(known) :]:
            self._add_name(player_id, name)

    def _add_name(self, player_id: str, name: Name) -> None:
        _note(self._of_name, name.written, player_id)
        if name.words:
            for form in _forms(name.words):
                _note(self._of_form, form, player_id)
            self._alike(name.words).add(player_id, name.words)

    def _alike(self, words: Words) -> _Forms:
        """Where to look: names in Latin letters are near to no others."""
        return self._latin if all(map(str.isascii, words)) else self._other

    def names(self, player_id: str) -> tuple[Name, ...]:
        """A member's names."""
        return self._names[player_id]

    def of_fide_id(self, fide_id: str) -> tuple[str, ...]:
        """Who bears a FIDE id."""
        return self._of_fide_id.get(fide_id, ())

    def of_near_id(self, written: str) -> tuple[str, ...]:
        """Whose national id it is but for case, width, blanks and hyphens."""
        plain = plain_id(written)
        return self._of_plain_id.get(plain, ()) if plain else ()

    def of_name(self, name: Name) -> tuple[str, ...]:
        """Who bears a name exactly as it stands."""
        return self._of_name.get(name.written, ())

    def of_form(self, name: Name) -> set[str]:
        """Who bears a name of that normal form, the words in any order or with other blanks."""
        return {bearer for form in _forms(name.words) for bearer in self._of_form.get(form, ())}

    def near(self, name: Name) -> set[str]:
        """Who bears the names nearest to that name, at most `MOST_NEAR` for each order of its words."""
        return self._alike(name.words).near(name.words)

    def alike(self, name: Name) -> set[str]:
        """Whose names may be like that name in any way."""
        part = self._alike(name.words).of_part(name.words)
        return {*self.of_name(name), *self.of_form(name), *part, *self.near(name)}

    def looks_like_an_id(self, player_id: str) -> bool:
        """Whether it has the letters of this register's ids around its digits."""
        return _shape(player_id) in self._shapes


def plain_id(player_id: str) -> str:
    """An id without what its writers do as they like: case, width, blanks, hyphens."""
    return re.sub(r"[\W_]", "", unicodedata.normalize("NFKC", player_id).casefold())


def _forms(words: Words) -> set[str]:
    """The forms by which a name is looked up: its words in one order, its letters in theirs."""
    return {" ".join(sorted(words)), "".join(words)} if words else set()


def _note(index: dict[str, tuple[str, ...]], key: str, player_id: str) -> None:
    """Note a bearer (tuples: a register's many small lists would keep the garbage collector busy)."""
    bearers = index.get(key, ())
    if player_id not in bearers[-1:]:
        index[key] = (*bearers, player_id)


def _shape(player_id: str) -> str:
    """An id with each run of digits as one."""
    return re.sub("[0-9]+", "0", plain_id(player_id))
