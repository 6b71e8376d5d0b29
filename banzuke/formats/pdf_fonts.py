"""The fonts of what is printed as PDF, settled by name: the first that this machine has of those below."""

import json
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import Any

_GOTHIC = (
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Source Han Sans JP",
    "BIZ UDPGothic",
    "IPAexGothic",
    "IPAGothic",
    "Hiragino Sans",
    "Hiragino Kaku Gothic ProN",
    "Yu Gothic",
    "Meiryo",
    "MS PGothic",
    "VL PGothic",
    "TakaoPGothic",
    "Droid Sans Fallback",
)
_MINCHO = (
    "Noto Serif CJK JP",
    "Noto Serif JP",
    "Source Han Serif JP",
    "BIZ UDPMincho",
    "IPAexMincho",
    "IPAMincho",
    "Hiragino Mincho ProN",
    "Yu Mincho",
    "MS PMincho",
    "TakaoPMincho",
)
#: Typst brings this one along; it has no Japanese.
_LATIN = "Libertinus Serif"


class NoFontError(Exception):
    """There are Japanese texts to print, and none of the fonts known here is installed."""


def fonts(data: Mapping[str, Any]) -> dict[str, list[str]]:
    """The fonts of the text and the title. Raises NoFontError."""
    found = families()
    text = next((name for name in _GOTHIC + _MINCHO if name in found), "")
    title = next((name for name in _MINCHO + _GOTHIC if name in found), "")
    if not text and _is_wide(data):
        raise NoFontError
    return {"fonts": [text or _LATIN], "title_fonts": [title or _LATIN]}


@cache
def families() -> frozenset[str]:
    """The families of this machine's fonts."""
    import typst

    return frozenset(typst.Fonts().families())


def _is_wide(data: object) -> bool:
    """Whether there is a Japanese letter among the texts."""
    text = json.dumps(data, ensure_ascii=False)
    return any(unicodedata.east_asian_width(letter) in "WF" for letter in text)
