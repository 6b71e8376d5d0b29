"""A register's members, found by id and by name: as it stands, in normal form, nearly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from rapidfuzz import fuzz, process

from banzuke.ledger.corrections import standing
from banzuke.ledger.folder import ChessLedger
from banzuke.office.likeness import NEAR, turns
from banzuke.office.names import normal_form
from banzuke.rulebooks import Family

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from banzuke.ledger.folder import Ledger
    from banzuke.office.likeness import Words

#: How many of the nearest names a search gives for each order of the words.
MOST_NEAR = 20


class Member(NamedTuple):
    """What is known of a member: his names (in any writing) and what else tells him from others."""

    player_id: str
    names: tuple[str, ...]
    fide_id: str = ""
    birth_date: date | None = None
    sex: str = ""


class Name(NamedTuple):
    """A name as it stands, without blanks around it, and in normal form."""

    written: str
    words: Words


def name_of(written: str) -> Name:
    """A name with its normal form."""
    return Name(written.strip(), normal_form(written))


def members(ledger: Ledger) -> list[Member]:
    """Everybody in a ledger, by rows that are not struck; in a FIDE pool the ids are FIDE's."""
    if not isinstance(ledger, ChessLedger):
        return [Member(player.player_id, (player.name,)) for player in ledger.players]
    is_fide = ledger.pool.family is Family.FIDE
    return [
        Member(
            player.player_id,
            (player.name, player.name_native),
            player.fide_id or (player.player_id if is_fide else ""),
            player.birth_date,
            player.sex,
        )
        for player in standing(ledger.players, None)
    ]


class Members:
    """A register that is searched; members may be added while it is in use."""

    def __init__(self, known: Iterable[Member]) -> None:
        self._members: dict[str, Member] = {}
        self._names: dict[str, list[Name]] = {}
        self._of_fide_id: dict[str, list[str]] = {}
        self._of_name: dict[str, list[str]] = {}
        self._of_form: dict[str | Words, list[str]] = {}
        self._of_word: dict[str, list[str]] = {}
        self._forms: list[str] = []
        self._bearers: list[str] = []
        self._shapes: set[str] = set()
        for member in known:
            self.add(member)

    def __contains__(self, player_id: str) -> bool:
        return player_id in self._members

    def __getitem__(self, player_id: str) -> Member:
        return self._members[player_id]

    def add(self, member: Member) -> None:
        """Know a member; of one who is known already, his further names and what else is said last."""
        player_id = member.player_id
        self._members[player_id] = member
        self._shapes.add(_shape(player_id))
        if member.fide_id:
            _note(self._of_fide_id, member.fide_id, player_id)
        names = self._names.setdefault(player_id, [])
        for written in member.names:
            name = name_of(written)
            if name.written and name not in names:
                names.append(name)
                self._add_name(player_id, name)

    def _add_name(self, player_id: str, name: Name) -> None:
        _note(self._of_name, name.written, player_id)
        if name.words:
            _note(self._of_form, tuple(sorted(name.words)), player_id)
            _note(self._of_form, "".join(name.words), player_id)
            for word in name.words:
                _note(self._of_word, word, player_id)
            self._forms.append(" ".join(name.words))
            self._bearers.append(player_id)

    def names(self, player_id: str) -> list[Name]:
        """A member's names."""
        return self._names[player_id]

    def of_fide_id(self, fide_id: str) -> list[str]:
        """Who bears a FIDE id."""
        return self._of_fide_id.get(fide_id, [])

    def of_name(self, name: Name) -> list[str]:
        """Who bears a name exactly as it stands."""
        return self._of_name.get(name.written, [])

    def of_form(self, name: Name) -> set[str]:
        """Who bears a name of that normal form, the words in any order or with other blanks."""
        words = self._of_form.get(tuple(sorted(name.words)), [])
        return {*words, *self._of_form.get("".join(name.words), [])}

    def alike(self, name: Name) -> set[str]:
        """Whose names may be like that name in any way."""
        return {*self.of_name(name), *self.of_form(name), *self.sharing(name), *self.near(name)}

    def sharing(self, name: Name) -> set[str]:
        """Who has a word of that name, single letters aside."""
        return {
            player_id for word in name.words if len(word) > 1 for player_id in self._of_word.get(word, [])
        }

    def near(self, name: Name) -> set[str]:
        """Who bears the names nearest to that name, at most `MOST_NEAR` for each order of its words."""
        return {
            self._bearers[at]
            for turn in turns(name.words)
            for _, _, at in process.extract(
                " ".join(turn), self._forms, scorer=fuzz.ratio, score_cutoff=NEAR, limit=MOST_NEAR
            )
        }

    def looks_like_an_id(self, player_id: str) -> bool:
        """Whether it has the letters of this register's ids around its digits."""
        return _shape(player_id) in self._shapes


def _note(
    index: dict[str, list[str]] | dict[str | Words, list[str]], key: str | Words, player_id: str
) -> None:
    bearers = index.setdefault(key, [])  # type: ignore[arg-type]
    if not bearers or bearers[-1] != player_id:
        bearers.append(player_id)


def _shape(player_id: str) -> str:
    """An id with each run of digits as one."""
    return re.sub("[0-9]+", "0", player_id)
