"""A list as a file of any kind that leaves the house."""

from __future__ import annotations

from importlib.util import find_spec
from typing import TYPE_CHECKING

from banzuke.exchange.export_headings import list_wording
from banzuke.exchange.player_list_export import fide_players, national_players
from banzuke.formats.fide import fide_text, fide_xml
from banzuke.formats.lists import list_pdf, list_table, list_xlsx
from banzuke.formats.swiss_manager import national_list

if TYPE_CHECKING:
    from banzuke.formats.lists.rating_list import Listed
    from banzuke.words import Language

#: The kinds of files by the names that commands have for them, each with what its file's name ends with.
ENDINGS = {
    "csv": "csv",
    "xlsx": "xlsx",
    "json": "json",
    "parquet": "parquet",
    "pdf": "pdf",
    "fide-txt": "fide.txt",
    "fide-xml": "fide.xml",
    "swiss-manager": "swiss-manager.txt",
}
#: Kinds that only hold ratings, of one speed or more, and no ranking of Go.
OF_RATINGS = frozenset(("fide-txt", "fide-xml", "swiss-manager"))
#: The package that a kind needs, of an extra.
_NEEDS = {"parquet": "pyarrow", "pdf": "typst"}


def can_write(kind: str) -> bool:
    """Whether the extra that a kind of file needs is installed."""
    return kind not in _NEEDS or find_spec(_NEEDS[kind]) is not None


def list_file(listed: Listed, kind: str, lang: Language, speed: str, federation: str = "") -> bytes:
    """The list as a file of that kind; `speed` is the one of which Swiss-Manager takes the ratings.

    Raises TooLargeError for an XLSX, NoFontError for a PDF, ModuleNotFoundError for what needs an extra, and
    RefusedError for a ranking of Go in a kind that holds ratings.
    """
    match kind:
        case "swiss-manager":
            return national_list.write(national_players(listed, speed, federation))
        case "fide-txt":
            return b"".join(fide_text.write_txt(fide_players(listed, federation), listed.name))
        case "fide-xml":
            return b"".join(fide_xml.write_xml(fide_players(listed, federation), listed.name))
        case "xlsx":
            return list_xlsx.write(listed, list_wording(listed, lang))
        case "pdf":
            return list_pdf.write(listed, list_wording(listed, lang))
        case "json":
            return list_table.write_json(listed)
        case "parquet":
            return list_table.write_parquet(listed)
        case _:
            return list_table.write_csv(listed)
