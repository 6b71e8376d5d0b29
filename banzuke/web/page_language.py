"""The language of the page that is being made."""

from django.utils.translation import get_language

from banzuke.words import Language


def page_language() -> Language:
    """The page's language as `banzuke.words` names it."""
    return "ja" if (get_language() or "").startswith("ja") else "en"
