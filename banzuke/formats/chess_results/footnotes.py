"""Marks of footnotes behind names (`Sato, Keiko *)`), and what the page's notes say of them.

A mark is an asterisk or a dagger, with a bracket or without, a raised digit, or a number with a bracket
behind a blank (`1)`). What stands in brackets is part of the name: `Xiao Tong(Qd)`, `Sato (2)`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable

from banzuke.core.fault import Fault, fault
from banzuke.formats.files.text import plain

_SIGN = r"(?:[*＊†‡§¶#]++|[¹²³⁰⁴-⁹]++)"
_MARK = rf"(?:{_SIGN} ?[)）]?|\({_SIGN}\)|\[{_SIGN}\]|(?<=[ \u3000])[0-9]{{1,2}}[)）])"
_BEHIND = re.compile(rf"((?:\s*{_MARK}){{1,5}})\s*\Z")
_NOTE = re.compile(rf"({_SIGN} ?\)?|\({_SIGN}\)|\[{_SIGN}\]|[0-9]{{1,2}}\))[ :=]*(\S.*?)[.。]?")
_MOST_NAMES = 3
#: Marks stand in so many characters at the end.
_LONGEST = 60


def split_mark(name: str) -> tuple[str, str]:
    """A name with single blanks and without the marks behind it, and these as one text; blank: none."""
    whole = " ".join(name.split())
    found = _BEHIND.search(whole, max(0, len(whole) - _LONGEST))
    if not found or not found.start():
        return whole, ""
    return whole[: found.start()], plain(found[1])


def footnote_remarks(file: str, names: Iterable[str], notes: Iterable[str]) -> list[Fault]:
    """A remark for each mark that was taken off names (as they stand), with what the notes say of it."""
    bearers: dict[str, dict[str, None]] = defaultdict(dict)
    for written in names:
        name, mark = split_mark(written)
        if mark:
            bearers[mark][name] = None
    said = [found.groups() for note in notes if (found := _NOTE.fullmatch(plain(note)))] if bearers else []
    remarks = []
    for mark, named in bearers.items():
        note = next((text for of, text in said if of.replace(" ", "") == mark.replace(" ", "")), "")
        some = "; ".join(list(named)[:_MOST_NAMES]) + (" ..." if len(named) > _MOST_NAMES else "")
        code = "cr-footnote" if note else "cr-mark"
        remarks.append(fault(file, 0, "", code, mark=mark, names=some, **({"note": note} if note else {})))
    return remarks
