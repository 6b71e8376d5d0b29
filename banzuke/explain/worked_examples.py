"""The worked examples of the documents and of our readings, each run by the rule book's own functions.

A test and every rule page run them: what is printed stands beside what the program gives now.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from banzuke.words import say

if TYPE_CHECKING:
    from banzuke.core.rulebook import Worked
    from banzuke.words import Language


def example_text(worked: Worked, lang: Language) -> str:
    """What an example is given, as a sentence."""
    return say("examples", worked.kind, lang, **worked.facts)
