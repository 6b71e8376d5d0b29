"""Problems of one kind as one: one sentence for all of them, and each by itself behind it."""

from collections.abc import Iterable
from typing import NamedTuple

from banzuke.office.inbox.problems import Problem, field_label, problem_text
from banzuke.words import Language, catalogue, comma_list, say

#: So many of one kind stay apart.
MOST_APART = 2


class ProblemGroup(NamedTuple):
    """Problems of one weight and kind, in their order."""

    problems: tuple[Problem, ...]

    @property
    def weight(self) -> str:
        """How much each of them weighs."""
        return self.problems[0].weight

    def text(self, lang: Language) -> str:
        """One sentence for all: how many, and what is wrong with them."""
        first = self.problems[0]
        if len(self.problems) == 1:
            return problem_text(first, lang)
        if first.fault.code not in catalogue("repeated"):
            alone = problem_text(first._replace(fault=first.fault._replace(file="", line=0, column="")), lang)
            return say("repeated", "others", lang, first=alone, count=len(self.problems) - 1)
        shared = set(first.fault.facts).intersection(*(one.fault.facts for one in self.problems))
        words = dict(shared) | {"count": len(self.problems), "fields": self.labels(lang)}
        return say("repeated", first.fault.code, lang, **words)

    def labels(self, lang: Language) -> str:
        """The labels of the fields that the problems are of, each once."""
        labels = dict.fromkeys(field_label(one.fault.column, lang) for one in self.problems)
        return comma_list(labels, lang)


def group_problems(problems: Iterable[Problem]) -> list[ProblemGroup]:
    """The problems by their kinds, each where its first stands; two alike stay apart."""
    kinds: dict[tuple[str, ...], list[Problem]] = {}
    for problem in problems:
        kinds.setdefault(_kind(problem), []).append(problem)
    return [group for alike in kinds.values() for group in _groups(alike)]


def _kind(problem: Problem) -> tuple[str, ...]:
    """What makes problems alike: a missing field is like no other one."""
    found = problem.fault
    field = found.column if not found.file and not found.line else ""
    clause = problem.clause
    return problem.weight, found.code, field, clause


def _groups(alike: list[Problem]) -> list[ProblemGroup]:
    if len(alike) <= MOST_APART:
        return [ProblemGroup((one,)) for one in alike]
    return [ProblemGroup(tuple(alike))]
