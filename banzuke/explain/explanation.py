"""An explanation: sections of sentences, each with the clause it rests on, in one language."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from banzuke.words import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from banzuke.words import Language


class Sentence(NamedTuple):
    """A sentence with its clause (blank: none needed) and the key it was said by."""

    text: str
    clause: str
    key: str


class Section(NamedTuple):
    """A heading and its sentences, in order."""

    heading: str
    sentences: list[Sentence]


class Explanation(NamedTuple):
    """What a player may read of one list (or, for Go, of his games so far)."""

    player: str
    list_name: str
    book: str
    sections: list[Section]

    def __str__(self) -> str:
        """The sections as plain text, each sentence with its clause behind it."""
        lines: list[str] = []
        for section in self.sections:
            lines += ["", section.heading]
            lines += [
                f"  {sentence.text} [{sentence.clause}]" if sentence.clause else f"  {sentence.text}"
                for sentence in section.sentences
            ]
        return "\n".join(lines[1:])


class Speaker:
    """Says sentences of the catalogue `explain` in one language and keeps them in order."""

    def __init__(self, lang: Language) -> None:
        self.lang = lang
        self.sentences: list[Sentence] = []

    def words(self, key: str, **facts: object) -> str:
        """A sentence or a part of one."""
        return say("explain", key, self.lang, **facts)

    def tell(self, key: str, clause: str = "", **facts: object) -> None:
        """Add a sentence with its clause."""
        self.sentences.append(Sentence(self.words(key, **facts), clause, key))


class UnknownPlayerError(ValueError):
    """No player of the ledger has that id, and not exactly one has that name."""

    def __init__(self, wanted: str, candidates: list[str]) -> None:
        super().__init__(wanted)
        self.wanted = wanted
        self.candidates = candidates


def find_player(wanted: str, names: Mapping[str, tuple[str, ...]]) -> str:
    """The id that is wanted, or the one whose name it is.

    Raises UnknownPlayerError, with the ids of that name or of names that contain it.
    """
    if wanted in names:
        return wanted
    exact = [player for player, called in names.items() if wanted in called]
    if len(exact) == 1:
        return exact[0]
    near = [
        player
        for player, called in names.items()
        if any(wanted.casefold() in name.casefold() for name in called if name)
    ]
    raise UnknownPlayerError(wanted, sorted(exact or near)[:10])
