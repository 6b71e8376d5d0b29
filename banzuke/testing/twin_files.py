"""The files of a ledger as the fast twins write them; needs the extra `bulk`."""

from pathlib import Path

from banzuke.engine.columnar import chess_reader, go_reader
from banzuke.engine.columnar.columnar_run import rate_columnar
from banzuke.ledger.folder import ChessLedger, Ledger


def twin_files(ledger: Ledger, scratch: Path) -> dict[str, str]:
    """What the fast twin of the ledger's book writes, by file; it is written within the folder `scratch`."""
    out = scratch / "columnar"
    if isinstance(ledger, ChessLedger):
        rate_columnar(chess_reader.columns_of(ledger), out)
    else:
        rate_columnar(go_reader.columns_of(ledger), out)
    return {path.name: path.read_text("utf-8") for path in out.iterdir()}
