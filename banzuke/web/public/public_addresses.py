"""Addresses of public things: of a list or a working at a speed, which some lists have no word for."""

from urllib.parse import urlencode

from django.urls import register_converter, reverse
from django.utils.text import slugify

from banzuke.database.models import Pool, RatingList
from banzuke.exchange.list_files import ENDINGS

_KINDS = {ending: kind for kind, ending in ENDINGS.items()}


class EndingConverter:
    """The end of a file's name in an address, as the kind of file."""

    regex = "|".join(ending.replace(".", r"\.") for ending in ENDINGS.values())

    def to_python(self, value: str) -> str:
        """The kind of file."""
        return _KINDS[value]

    def to_url(self, value: str) -> str:
        """The end of its name."""
        return ENDINGS[value]


register_converter(EndingConverter, "ending")


def list_address(published: RatingList, speed: str = "", *, revision: int | None = None) -> str:
    """A list's page; `revision` None: that of its latest."""
    words = {"slug": published.pool.slug, "name": published.name}
    return _address("public-list", "public-list-speed", speed, words) + _asked(revision)


def file_address(published: RatingList, speed: str, kind: str, *, revision: int | None) -> str:
    """A list's file, at one speed or (blank) at all of them; `revision` as for the list's page."""
    words = {"slug": published.pool.slug, "name": published.name, "kind": kind}
    return _address("public-list-file", "public-list-speed-file", speed, words) + _asked(revision)


def record_address(published: RatingList, page: str, *, revision: int | None, **words: str) -> str:
    """A file by which the list is checked; `revision` as for the list's page."""
    named = {"slug": published.pool.slug, "name": published.name} | words
    return reverse(page, kwargs=named) + _asked(revision)


#: The files by which a list is made again and checked, with the names of their addresses.
RECORD_FILES = {
    "record.json": "list-record",
    "content.csv": "list-content",
    "people.csv": "list-people",
    "ledger.zip": "list-ledger",
}


def record_files(published: RatingList, revision: int | None) -> list[tuple[str, str]]:
    """Those files with their addresses; `revision` as for the list's page."""
    return [(name, record_address(published, page, revision=revision)) for name, page in RECORD_FILES.items()]


def _asked(revision: int | None) -> str:
    return "" if revision is None else f"?revision={revision}"


def clubs_address(published: RatingList, speed: str) -> str:
    """The clubs of a list."""
    words = {"slug": published.pool.slug, "name": published.name}
    return _address("public-clubs", "public-clubs-speed", speed, words)


def comparison_address(one: RatingList, other: RatingList, speed: str, *, replaced: object = None) -> str:
    """Two lists compared at a speed (blank: the first).

    `replaced` is whether the first is no longer the list of its name.
    """
    words = {"slug": one.pool.slug, "name": one.name, "other": other.name}
    asked = {"speed": speed} if speed else {}
    if one.name == other.name:
        asked |= {"revision": str(one.revision), "with": str(other.revision)}
    elif replaced:
        asked["revision"] = str(one.revision)
    address = reverse("public-comparison", kwargs=words)
    return f"{address}?{urlencode(asked)}" if asked else address


def working_address(pool: Pool, player: str, name: str, speed: str) -> str:
    """How a player's rating in a list came about."""
    words = {"slug": pool.slug, "player": player, "name": name}
    return _address("public-working", "public-working-speed", speed, words)


def _address(page: str, page_of_speed: str, speed: str, words: dict[str, str]) -> str:
    """A page's address, that of the speed where there is one."""
    return reverse(page_of_speed, kwargs=words | {"speed": speed}) if speed else reverse(page, kwargs=words)


def clause_address(pool: Pool, book: str, clause: str) -> str:
    """A clause on the page of its rule book."""
    return f"{reverse('reading-book', kwargs={'slug': pool.slug, 'book': book})}#{slugify(clause)}"
