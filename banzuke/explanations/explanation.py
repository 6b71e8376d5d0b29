"""An explanation: sections of sentences, each with the clause it rests on, in one language."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import NamedTuple

from rapidfuzz import fuzz, process

from banzuke.core.rulebook import RuleBook
from banzuke.core.sentences import EventName, ListName, PlayerName, Statement, Word
from banzuke.words import Language, book_sentence, day_text, filled_in_by_book, list_title

#: How a sentence prints the sign of a negative number, which figures write as a hyphen.
MINUS, NEGATIVE = "−", re.compile(r"-\d[\d./ ]*")
#: How many players may be meant at the most; how many per cent of the letters of like names are the same.
MOST_CANDIDATES, LIKE = 10, 80


class Sentence(NamedTuple):
    """A sentence with its clause (blank: none needed) and its key."""

    text: str
    clause: str
    key: str


class Section(NamedTuple):
    """A heading and its sentences, in order."""

    heading: str
    sentences: list[Sentence]


class Explanation(NamedTuple):
    """What a player may read of one list (or, for Go, of the games so far)."""

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


@dataclass(frozen=True, slots=True)
class SentenceWriter:
    """Puts statements into one language: the words are the book's own, and the common ones for the rest.

    `players` are names by id, `events` too.
    """

    book: RuleBook
    lang: Language
    players: Mapping[str, str] = field(default_factory=dict)
    events: Mapping[str, str] = field(default_factory=dict)

    def text(self, key: str, facts: Mapping[str, object] | None = None) -> str:
        """A sentence or a part of one. Raises KeyError for a key that has no words."""
        sentence = book_sentence(self.book, "explain", key, self.lang)
        said = {name: self._fact(fact) for name, fact in (facts or {}).items()}
        return filled_in_by_book(self.book, sentence, said)

    def _fact(self, fact: object) -> object:
        match fact:
            case Word() as word:
                return self.text(word.key, word.facts)
            case PlayerName(player):
                return self.players[player]
            case EventName(event):
                return self.events.get(event, event)
            case ListName(name):
                return self.events.get(name) or list_title(name, self.lang)
            case datetime():
                return day_text(f"{fact:%Y-%m-%d %H:%M}", self.lang)
            case date():
                return day_text(fact.isoformat(), self.lang)
        text = str(fact)
        return f"{MINUS}{text[1:]}" if NEGATIVE.fullmatch(text) else text

    def sentence(self, statement: Statement) -> Sentence:
        """A statement as a sentence."""
        return Sentence(self.text(statement.key, statement.facts), statement.clause, statement.key)

    def sentences(self, statements: Iterable[Statement]) -> list[Sentence]:
        """Statements as sentences, in order; a sentence that is said once is left out the next time."""
        found: list[Sentence] = []
        for statement in statements:
            sentence = self.sentence(statement)
            if not (statement.is_said_once and any(sentence.text == earlier.text for earlier in found)):
                found.append(sentence)
        return found


class UnknownPlayerError(ValueError):
    """No player of the ledger has that id, and not exactly one has that name.

    `candidates` are the ids of those who may be meant, `names` what they are called, in each script;
    `share_name` says that they all bear the name that is wanted.
    """

    def __init__(
        self,
        wanted: str,
        candidates: list[str],
        names: Mapping[str, tuple[str, ...]] | None = None,
        *,
        share_name: bool = False,
    ) -> None:
        super().__init__(wanted)
        self.wanted = wanted
        self.candidates = candidates
        self.names = names or {}
        self.share_name = share_name


def find_player(wanted: str, names: Mapping[str, tuple[str, ...]]) -> str:
    """The id that is wanted, or the one whose name it is.

    Capitals and the order of the words make no difference to a name. Raises UnknownPlayerError, with the ids
    of that name, else of names that contain it, else of names like it.
    """
    if wanted in names:
        return wanted
    exact = [player for player, called in names.items() if wanted in called]
    words = _words(wanted)
    alike = exact or [p for p, called in names.items() if words and words in map(_words, called)]
    if len(alike) == 1:
        return alike[0]
    near = [
        player
        for player, called in names.items()
        if any(wanted.casefold() in name.casefold() for name in called if name)
    ]
    candidates = sorted(alike or near)[:MOST_CANDIDATES] or _of_names_like(wanted, names)
    known = {player: names[player] for player in candidates}
    raise UnknownPlayerError(wanted, candidates, known, share_name=bool(alike))


def _of_names_like(wanted: str, names: Mapping[str, tuple[str, ...]]) -> list[str]:
    """The ids of those whose names differ by little, the likest first."""
    called = [(player, " ".join(_words(name))) for player, of_player in names.items() for name in of_player]
    written, known = " ".join(_words(wanted)), [name for _, name in called]
    found = process.extract(written, known, scorer=fuzz.ratio, score_cutoff=LIKE, limit=MOST_CANDIDATES)
    return list(dict.fromkeys(called[at][0] for _, _, at in found))


def _words(name: str) -> list[str]:
    """The words of a name, in the order of the alphabet."""
    return sorted(name.casefold().replace(",", " ").split())
