"""Both languages as parameters of tests whose sentences are many: the fast tier takes the first one."""

from __future__ import annotations

import pytest

from banzuke.words import LANGUAGES

IN_TURN = [pytest.param(lang, marks=[pytest.mark.slow] * (lang != LANGUAGES[0])) for lang in LANGUAGES]
