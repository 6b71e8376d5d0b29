"""A public ledger as a folder, or zipped: its tables, the pool's rules, and a marker that says what it is."""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from banzuke.core.fault import Fault, refuse_any
from banzuke.ledger.folder import Ledger, write_ledger
from banzuke.ledger.toml_files import parse_toml, toml_document
from banzuke.words import LANGUAGES, say

#: The file that says that there are stand-ins in the folder, and for what.
MARKER = "README.txt"
#: Every file of a zip has this moment, so that the same ledger gives the same bytes.
_MOMENT = (1980, 1, 1, 0, 0, 0)
_SIGNED = "signed"


def public_rule_files(texts: Mapping[str, str]) -> dict[str, str]:
    """The texts of a pool's rules without comments, which may hold anything, and without officers' names.

    A text that has neither stays as it is.
    """
    return {name: _public_text(name, text) for name, text in texts.items()}


def _public_text(name: str, text: str) -> str:
    faults: list[Fault] = []
    document = parse_toml(name, text.encode(), faults) or {}
    refuse_any(faults)
    if _SIGNED not in document and "#" not in text:
        return text
    if _SIGNED in document:
        officers = document[_SIGNED]["by"]
        document[_SIGNED]["by"] = [f"officer {number}" for number, _ in enumerate(officers, 1)]
    return toml_document(document).lstrip("\n")


def write_public_ledger(ledger: Ledger, texts: Mapping[str, str], folder: Path, last: str) -> None:
    """Write a public ledger as a new folder, with its marker; `texts` are those of the true rule files.

    `last` is the name of its last list. Raises FileExistsError.
    """
    files = public_rule_files({name: texts[name] for name in ledger.pool.files})
    write_ledger(ledger, files, folder)
    facts = {"pool": ledger.pool.name, "list": last}
    parts = [say("public_ledger", "readme", lang, **facts).strip() for lang in LANGUAGES]
    folder.joinpath(MARKER).write_text("\n\n\n".join(parts) + "\n", "utf-8", newline="\n")


def public_ledger_zip(ledger: Ledger, texts: Mapping[str, str], last: str) -> bytes:
    """A public ledger's folder as a zip; the same bytes for the same ledger."""
    packed = io.BytesIO()
    with TemporaryDirectory() as place:
        folder = Path(place) / "ledger"
        write_public_ledger(ledger, texts, folder, last)
        with zipfile.ZipFile(packed, "w") as archive:
            for path in sorted(folder.iterdir()):
                entry = zipfile.ZipInfo(path.name, _MOMENT)
                entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
                archive.writestr(entry, path.read_bytes())
    return packed.getvalue()
