"""What tests of the desk share."""

from __future__ import annotations

import sys

import pytest

from banzuke.office.lists import fast_forward


@pytest.fixture(params=["readable", pytest.param("columnar", marks=pytest.mark.slow)])
def either_engine(request, monkeypatch):
    """The fast twins serve no pool, however large; then every chess pool, however small."""
    monkeypatch.setattr(fast_forward, "FROM_GAMES", 0 if request.param == "columnar" else sys.maxsize)
