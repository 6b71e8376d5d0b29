"""How allauth behaves here: nobody signs up, and an address is what the office takes it for."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from banzuke.web.accounts.middleware import client_address


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # it has no types
    """Users are made by administrators only."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:  # noqa: ARG002
        """Never."""
        return False

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Nothing is counted here: by allauth's count of a name alone anybody could lock an officer out.

        Failures of a name from an address are counted by the lock-out, attempts of an address by the page.
        """

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address behind a trusted proxy, as everywhere."""
        return client_address(request) or "127.0.0.1"
