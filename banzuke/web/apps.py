"""The app `web`: pages, templates, stylesheet, translations."""

from django.apps import AppConfig


class WebConfig(AppConfig):
    """Pages of the office."""

    name = "banzuke.web"
    label = "web"
