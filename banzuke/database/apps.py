"""The book as a part of a Django project."""

from django.apps import AppConfig


class BookConfig(AppConfig):
    """Its name and the kind of its keys."""

    name = "banzuke.database"
    label = "book"
    default_auto_field = "django.db.models.BigAutoField"
