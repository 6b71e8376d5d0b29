"""What a Go server asks, as far as it is plain: parameters as a program writes them, each at most once."""

import re
from collections.abc import Callable
from functools import partial
from urllib.parse import parse_qsl
from wsgiref.types import WSGIEnvironment

from django.http import HttpRequest
from django.utils.http import parse_etags
from django.utils.translation import get_language_from_request

from banzuke.api import params
from banzuke.api.live.go_answers import MOST_CHANGES, changes_text, player_text, terms_text
from banzuke.database.models import Pool
from banzuke.words import Language

#: What gives a question's answer for a pool; None where nobody is asked about who is there.
Question = Callable[[Pool], bytes | None]
#: Headers by which an answer may be another: a cookie says the language, conditions ask for part of it.
_NOT_PLAIN = (
    "HTTP_COOKIE",
    "HTTP_IF_MATCH",
    "HTTP_IF_MODIFIED_SINCE",
    "HTTP_IF_UNMODIFIED_SINCE",
    "HTTP_RANGE",
)
_WORD = re.compile(params.PLAIN)
_TERMS = {
    "white": _WORD,
    "black": _WORD,
    "handicap": re.compile(r"[0-9]"),
    "komi": re.compile(params.KOMI_WRITTEN),
}
_CHANGES = {"after": re.compile(r"[0-9]{1,18}"), "limit": re.compile(r"[1-9][0-9]{0,3}")}
_PLAYER = {"lang": re.compile("en|ja")}
#: How ids are written in addresses that have what an address cannot, or that a path reads otherwise.
_OTHER_IDS = re.compile(r".*~.*|\.{1,2}")


def question_of(environ: WSGIEnvironment, what: str) -> Question | None:
    """The question at an address below a pool's; None where it is not plain. Raises ValueError."""
    if any(name in environ for name in _NOT_PLAIN):
        return None
    query = environ.get("QUERY_STRING", "")
    if what == "terms":
        return _terms(_words(query, _TERMS))
    if what == "changes":
        return _changes(_words(query, _CHANGES))
    player, found = what.partition("/")[2].encode("latin-1").decode(), _words(query, _PLAYER)
    if _OTHER_IDS.fullmatch(player):
        return None
    return partial(player_text, player=_word(player), lang=_language(environ, found.get("lang")))


def _words(query: str, known: dict[str, re.Pattern[str]]) -> dict[str, str]:
    """The parameters by name. Raises ValueError for what is unknown, said twice, or not as it should be."""
    found = parse_qsl(query, keep_blank_values=True, strict_parsing=bool(query), errors="strict")
    words = dict(found)
    are_plain = (name in known and known[name].fullmatch(value) for name, value in found)
    if len(words) < len(found) or not all(are_plain):
        raise ValueError(query)
    return words


def _word(text: str) -> str:
    """A word of a bounded length. Raises ValueError."""
    if not 0 < len(text) <= params.MOST_CHARS or not _WORD.fullmatch(text):
        raise ValueError(text)
    return text


def _terms(words: dict[str, str]) -> Question | None:
    if not {"black", "white"} <= words.keys():
        return None
    stones = int(words["handicap"]) if "handicap" in words else None
    return partial(
        terms_text,
        black=_word(words["black"]),
        white=_word(words["white"]),
        stones=stones,
        komi=params.half_points(words.get("komi")),
    )


def _changes(words: dict[str, str]) -> Question | None:
    after, limit = int(words.get("after", 0)), int(words.get("limit", MOST_CHANGES))
    return partial(changes_text, after=after, limit=limit) if limit <= MOST_CHANGES else None


def _language(environ: WSGIEnvironment, asked: str | None) -> Language:
    """The language that is asked for, else the visitor's, as Django finds it."""
    if asked is None and "HTTP_ACCEPT_LANGUAGE" in environ:
        request = HttpRequest()
        request.META = environ
        asked = get_language_from_request(request)
    return "ja" if asked is not None and asked.startswith("ja") else "en"


def has_already(environ: WSGIEnvironment, tag: str) -> bool:
    """Whether whoever asks has the answer of that tag."""
    tags = parse_etags(environ.get("HTTP_IF_NONE_MATCH", ""))
    return "*" in tags or tag in {each.removeprefix("W/") for each in tags}
