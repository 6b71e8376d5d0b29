"""What waits for a visitor: each area says its own, and the desk's page gathers it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waiting:
    """Something to do: what it is, in the visitor's language, how many there are, and where it is done."""

    text: str
    count: int
    url: str
