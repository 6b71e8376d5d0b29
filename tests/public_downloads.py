"""What an office gives out of its lists, asked for by Django's client as `banzuke verify` asks over HTTP."""

from __future__ import annotations

from urllib.parse import urljoin, urlsplit

from django.test import Client

from banzuke.client.api_client import RefusedByOfficeError
from banzuke.client.downloads import Download
from banzuke.client.public_lists import download_list
from banzuke.client.public_verification import verify_public
from banzuke.office.transparency.log_checkpoints import log_keys
from banzuke.transparency.signed_notes import read_keys
from banzuke.web.public.public_addresses import list_address

HOST = "http://testserver"


class ClientDownloads:
    """As `Downloads`, without a network."""

    def get(self, address, most):
        answer = Client().get(address.removeprefix(HOST))
        while answer.status_code in (301, 302):
            address = urljoin(address, answer["Location"])
            answer = Client().get(address.removeprefix(HOST))
        if answer.status_code != 200:
            raise RefusedByOfficeError(answer.status_code, answer.content.decode(), [])
        assert len(answer.content) <= most
        return Download(address, answer.content)


def downloaded(published, speed=""):
    """Everything that is given out of a list."""
    address = list_address(published, speed, revision=published.revision)
    return download_list(urljoin(HOST, address), None, ClientDownloads())


def findings(published):
    """What is found when the list is verified by what the office gives out, by code."""
    public = downloaded(published)
    assert urlsplit(public.record.files["table"].address).netloc == ""
    found = list(verify_public(public, read_keys(public.key.decode())))
    assert read_keys(public.key.decode()) == log_keys()
    return {each.code: each for each in found}


def assert_verified(pool):
    """Each list and revision of a pool is made again from what is public, to the byte."""
    for published in pool.lists.order_by("number"):
        found = findings(published)
        assert all(each.is_good for each in found.values()), (published, found)
        assert len(found) == 7
