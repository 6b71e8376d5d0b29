"""What is taken of an office's word about a list before anybody has checked it."""

from types import SimpleNamespace

import pytest

from banzuke.client.api_client import AddressError
from banzuke.client.public_lists import record_address, size_said
from banzuke.transparency.proof_error import ProofError


def record(checkpoint):
    return SimpleNamespace(log=SimpleNamespace(checkpoint=checkpoint))


def test_the_size_of_the_log():
    assert size_said(record("name\n47\nroot\n")) == 47


@pytest.mark.parametrize(
    "said", ["", "name", "name\n", "name\n-1", "name\n٣", "name\n007", "name\n" + "9" * 6_000]
)
def test_what_is_none(said):
    with pytest.raises(ProofError):
        size_said(record(said))


def test_what_is_no_address():
    with pytest.raises(AddressError):
        record_address("http://[x/")
