"""One list of a ledger: the bytes that its hash is made of, from nothing but the ledger."""

import zlib

from banzuke.core.gc_pause import uncollected
from banzuke.engine import go_history, history, result_rows
from banzuke.engine.go_windows import first_seen, go_names, last_moment
from banzuke.engine.history import UnknownListError
from banzuke.engine.list_content import GZIP, PackedContent, added_columns
from banzuke.engine.rating_run import Progress, no_progress
from banzuke.ledger.folder import ChessLedger, GoLedger, Ledger


def list_content(ledger: Ledger, name: str, entry: int, progress: Progress = no_progress) -> bytes:
    """The content of the ledger's list of that name; `entry` stands in its last line.

    Raises UnknownListError for a list that the ledger does not make.
    """
    with uncollected():
        content = _of_go(ledger, name) if isinstance(ledger, GoLedger) else _of_chess(ledger, name, progress)
    return zlib.decompress(content.packed(entry), wbits=GZIP)


def _of_chess(ledger: ChessLedger, name: str, progress: Progress) -> PackedContent:
    names = history.list_names(ledger, name)
    if name not in names:
        raise UnknownListError(name, names[-1] if names else "-")
    for number, rated in enumerate(history.history(ledger, names)):
        progress(number, len(names), rated.batch.name)
    content, added = PackedContent(name, rated.edition), added_columns(rated.edition)
    content.add([result_rows.list_header([rated.edition])])
    content.add(result_rows.list_rows(rated, added))
    content.add([result_rows.CHANGES])
    content.add(result_rows.change_rows(rated))
    content.add_adjusted(rated)
    return content


def _of_go(ledger: GoLedger, name: str) -> PackedContent:
    names = go_names(ledger, name)
    if name not in names:
        raise UnknownListError(name, names[-1] if names else "-")
    windows = [ledger.pool.schedule.window_named(each) for each in names[-2:]]
    run, after = go_history.opening(ledger), None
    for window in windows:
        until = last_moment(window.closes)
        games = list(go_history.history(ledger, run, until, after))
        after = until
    firsts = first_seen(ledger)
    players = sorted(player for player in run.states if firsts.get(player, until) <= until)
    content = PackedContent(name, ledger.pool.edition_at(until))
    content.add([result_rows.GO_STANDINGS])
    content.add(result_rows.go_standing_row(player, run.states[player]) for player in players)
    content.add([result_rows.GO_CHANGES])
    content.add(row for rated in games for row in result_rows.go_change_rows(rated))
    return content
