"""The worked examples of the documents and of our readings, each run by the rule book's own functions.

A test and every rule page run them: what is printed stands beside what the program gives now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.words import Language, book_sentence

if TYPE_CHECKING:
    from banzuke.core.rulebook import RuleBook, Worked


def example_text(book: RuleBook, worked: Worked, lang: Language) -> str:
    """What an example is given, as a sentence of the book's own `[examples]`, or of the common ones."""
    return book_sentence(book, "examples", worked.kind, lang).format_map(worked.facts)
