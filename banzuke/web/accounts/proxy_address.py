"""Where a request comes from: behind a proxy that is trusted, what the proxy says; else who is connected."""

from __future__ import annotations

from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from django.conf import settings

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponseBase

#: What a proxy says of the visitor; from anybody else it is not to be believed.
SAID = ("HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_PROTO", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PORT")


class ForwardedMiddleware:
    """Puts the visitor's own address in the place of a trusted proxy's, and drops the words of others."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response
        self.trusted = [ip_network(each) for each in settings.TRUSTED_PROXIES]

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, from then on knowing where the request comes from."""
        if self._is_trusted(address(request)):
            request.META["REMOTE_ADDR"] = self._visitor(request)
        else:
            for name in SAID:
                request.META.pop(name, None)
        return self.get_response(request)

    def _visitor(self, request: HttpRequest) -> str:
        """The last address of the chain that is no trusted proxy's."""
        here = address(request)
        chain: str = request.META.get("HTTP_X_FORWARDED_FOR", "")
        for said in reversed(chain.split(",")):
            if not _is_address(said.strip()):
                return here
            here = said.strip()
            if not self._is_trusted(here):
                return here
        return here

    def _is_trusted(self, said: str) -> bool:
        return _is_address(said) and any(ip_address(said) in network for network in self.trusted)


def _is_address(said: str) -> bool:
    try:
        ip_address(said)
    except ValueError:
        return False
    return True


def address(request: HttpRequest) -> str:
    """The visitor's address; blank where there is none, as on a socket of the machine."""
    return str(request.META.get("REMOTE_ADDR", ""))
