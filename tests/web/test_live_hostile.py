"""The addresses of a Go server's pages with hostile words: the answer says what is wrong, and is never a fault."""

from __future__ import annotations

import pytest
from small_office import client, small_pool
from test_hostile_addresses import WORDS, written

pytestmark = pytest.mark.django_db
ASKED = {
    "/go/ranking/": ("q", "after", "before", "last"),
    "/go/players/ao/": ("after", "counted", "all"),
    "/go/calculators/terms/": ("white", "black", "stones", "komi", "number"),
    "/office/go/live/": ("x",),
    "/office/go/live/annul/": ("game", "why"),
}


@pytest.mark.slow
@pytest.mark.parametrize("address", ASKED)
def test_every_word_everywhere(address):
    officer = client("officer", small_pool("go"))
    officer.raise_request_exception = False
    wrong = []
    for word in WORDS:
        for key in ASKED[address]:
            others = "&".join(f"{other}=5k" for other in ASKED[address][:2] if other != key)
            answer = officer.generic("GET", f"{address}?{key}={written(word)}&{others}")
            wrong += [(key, word[:20], answer.status_code)] if answer.status_code >= 500 else []
        form = {"content_type": "application/x-www-form-urlencoded"}
        data = "&".join(f"{key}={written(word)}" for key in ASKED[address])
        answer = officer.generic("POST", address, data, **form)
        wrong += [("post", word[:20], answer.status_code)] if answer.status_code >= 500 else []
    assert wrong == []
