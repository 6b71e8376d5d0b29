"""What a browser may not use on these pages: camera, microphone, place and the like."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponseBase

REFUSED = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")
POLICY = ", ".join(f"{name}=()" for name in REFUSED)


class PermissionsMiddleware:
    """Sets Permissions-Policy on every answer."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """Answer, with the policy."""
        response = self.get_response(request)
        response["Permissions-Policy"] = POLICY
        return response
