"""What a machine may lack that some tests need: they skip then, and say what to install."""

from __future__ import annotations

import os
import pty
from functools import cache

import pytest

from banzuke.formats import pdf_fonts

JAPANESE = {"Noto Sans CJK JP", "Noto Serif CJK JP", "IPAexGothic", "IPAexMincho"}

needs_font = pytest.mark.skipif(
    not JAPANESE & pdf_fonts.families(), reason="no Japanese font is installed (fonts-noto-cjk)"
)


@cache
def _has_terminals() -> bool:
    try:
        ends = pty.openpty()
    except OSError:
        return False
    for end in ends:
        os.close(end)
    return True


needs_terminal = pytest.mark.skipif(not _has_terminals(), reason="this machine gives no pseudo-terminals")
