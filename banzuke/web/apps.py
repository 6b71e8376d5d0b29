"""The app `web`: pages, templates, stylesheet, translations."""

from importlib import import_module

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Pages of the office."""

    name = "banzuke.web"
    label = "web"

    def ready(self) -> None:
        """Make `<id:...>` known to URL patterns, and have sign-ins journalled."""
        import_module("banzuke.web.id_converter")
        import_module("banzuke.web.accounts.signing_in")
