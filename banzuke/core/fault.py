"""What is wrong with a file, as a value: where, what, and the facts of the sentence.

A fault carries no sentence of its own. The sentence, in Japanese or English, comes from
one of the catalogues `words/faults/*.toml` under the fault's code; a test holds the two together.
"""

from typing import NamedTuple

#: So many faults are said of one input.
MOST_FAULTS = 100


class Fault(NamedTuple):
    """One fault with its address.

    `line` counts from 1 (0: the file as a whole); `column` is a column's name in a table,
    the first character position (from 1) in a fixed-width file, or blank.
    """

    file: str
    line: int
    column: str
    code: str
    facts: tuple[tuple[str, str], ...] = ()


def fault(file: str, line: int, column: str, code: str, **facts: object) -> Fault:
    """A `Fault`; the facts become text, in the order given."""
    return Fault(file, line, column, code, tuple((k, str(v)) for k, v in facts.items()))


def refuse_any(faults: list[Fault]) -> None:
    """Raise RefusedError with the first of the faults, if there are any."""
    if faults:
        raise RefusedError(faults[:MOST_FAULTS])


class RefusedError(Exception):
    """Input that is refused as a whole, with every fault found (in the order of the files)."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__(f"{len(faults)} fault(s)")
        self.faults = faults
