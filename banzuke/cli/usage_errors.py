"""A command line that cannot be read: what Typer says of it, in the reader's language.

Typer speaks English only. Its sentences are recognised by those of the catalogue `usage`, which is read when
there is an error. A sentence that the catalogue does not have stays in English. In English, what a reader
would not understand is said otherwise (`PLAINER`).
"""

import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Protocol, runtime_checkable

import typer

from banzuke.cli.output import complain
from banzuke.words import LANGUAGES, Language, catalogue, preferred_language

#: Facts of Typer's sentences that the catalogue has, too.
TRANSLATED = ("reason", "kind")
#: Ends a sentence; lines that are moved in go on from the one before.
SENTENCES = re.compile(r"\n(?![ \t])")
#: What Typer says in English, and what is said instead.
PLAINER = (
    (re.compile("Value error, "), ""),
    (re.compile(r"does not match the formats? '%Y-%m-%d'\."), "is not a day; write it as 2025-03-31."),
)


@runtime_checkable
class UsageError(Protocol):
    """What Typer raises for a command line that it cannot read; the class differs between its versions."""

    exit_code: int

    def format_message(self) -> str:
        """Give the sentence."""

    def show(self, file: io.StringIO | None = None) -> None:
        """Write the usage and the sentence."""


@contextmanager
def translated_usage_errors(lang: Language) -> Iterator[None]:
    """End the command with usage errors in that language."""
    try:
        yield
    except Exception as error:
        if not isinstance(error, UsageError):
            raise
        shown = io.StringIO()
        error.show(shown)  # nothing where it is no error, but the help of a group
        said = shown.getvalue().rstrip("\n")
        sentences = SENTENCES.split(said) if said else []
        for sentence in sentences:
            for line in (make_plainer(sentence) if lang == "en" else translate(sentence, lang)).split("\n"):
                complain(line.expandtabs(4))
        raise typer.Exit(error.exit_code) from None


def make_plainer(sentence: str) -> str:
    """A sentence of Typer's in English that says what to do."""
    for said, plainer in PLAINER:
        sentence = said.sub(plainer, sentence)
    return sentence


def command_line_language(words: Sequence[str]) -> Language:
    """The language of `--lang` among the words of a command line, else the preferred one."""
    for word, following in zip_longest(words, words[1:], fillvalue=""):
        option, _, value = word.partition("=")
        wish = value or following
        if option == "--lang" and wish in LANGUAGES:
            return "ja" if wish == "ja" else "en"
    return preferred_language()


def translate(sentence: str, lang: Language) -> str:
    """A sentence of Typer's in that language; as it is, where the catalogue does not have it."""
    for words in catalogue("usage").values():
        found = _pattern(words["en"]).fullmatch(sentence)
        if found:
            facts = found.groupdict()
            facts |= {name: translate(facts[name], lang) for name in TRANSLATED if name in facts}
            return str(words[lang].format_map(facts))
    return sentence


def _pattern(template: str) -> re.Pattern[str]:
    """What a sentence with these places for facts looks like."""
    parts = re.split(r"\{(\w+)\}", template)
    places = (f"(?P<{part}>.+?)" if number % 2 else re.escape(part) for number, part in enumerate(parts))
    return re.compile("".join(places), re.DOTALL | re.IGNORECASE)
