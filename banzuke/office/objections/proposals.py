"""What an objection proposes as a draft of the correction: a game's result or colours, a player's name."""

from typing import Any

from django.db.models import Q

from banzuke.core import facts
from banzuke.core.facts import SCORES
from banzuke.database.models import Game, Objection
from banzuke.ledger.cells import CellError
from banzuke.ledger.written_text import read_text
from banzuke.office.fact_rows import standing_rows
from banzuke.office.lists import correction_drafts
from banzuke.office.lists.revision_changes import UNRATED

#: What may be said of a game, from the player's side, and of a player; anything else is for words.
WON, DRAWN, LOST, COLOURS, STRIKE = "won", "drawn", "lost", "colours", "strike"
NAME, NATIVE_NAME = "name", "name_native"
OTHER = "other"
#: The half points of the player and of the opponent.
RESULTS = {WON: (2, 0), DRAWN: (1, 1), LOST: (0, 2)}


def standing_game(objection: Objection) -> Game | None:
    """The game's row as it stands now; None: it does not stand any more, or it is of no game of chess."""
    one, other = objection.player_id, objection.opponent_id
    pair = Q(white=one, black=other) | Q(white=other, black=one)
    rows = standing_rows(objection.inquiry.pool, facts.Game).filter(pair, event_id=objection.event_id)
    found: Game | None = rows.filter(round=objection.round).last() if objection.round is not None else None
    return found


def draft_proposal(objection: Objection) -> bool:
    """Note in the draft what the objection proposes; False: it is nothing that a draft can hold.

    Raises as `correction_drafts.draft_change` does.
    """
    inquiry = objection.inquiry
    if inquiry.draft:
        return False
    if objection.subject == Objection.Subject.GAME:
        return _draft_game(objection)
    if objection.subject == Objection.Subject.PLAYER and objection.change in (NAME, NATIVE_NAME):
        return _draft_name(objection)
    return False


def _draft_game(objection: Objection) -> bool:
    game, inquiry = standing_game(objection), objection.inquiry
    if game is None:
        return False
    if objection.change == STRIKE:
        correction_drafts.draft_strike(inquiry, "games", game.pk)
        return True
    changed = _changed(objection, game)
    if changed:
        correction_drafts.draft_change(inquiry, "games", game.pk, **changed)
    return bool(changed)


def _changed(objection: Objection, game: Game) -> dict[str, Any]:
    """The columns of the game that would be others."""
    if objection.change == COLOURS:
        return {"white": game.black, "black": game.white, "result": turned(game.result)}
    if objection.change not in RESULTS:
        return {}
    one, other = RESULTS[objection.change]
    scores = (one, other) if game.white == objection.player_id else (other, one)
    bare = next(result for result, found in SCORES.items() if found == scores)
    result = f"{UNRATED}{bare}" if game.result.startswith(UNRATED) else bare
    return {"result": result} if result != game.result else {}


def turned(result: str) -> str:
    """The result of a game with its colours the other way round."""
    before = {"+/-": "-/+", "-/+": "+/-", "1-0": "0-1", "0-1": "1-0", "u1-0": "u0-1", "u0-1": "u1-0"}
    other = before.get(result, result)
    return other if other in SCORES else result


def _draft_name(objection: Objection) -> bool:
    rows = standing_rows(objection.inquiry.pool, facts.Player).filter(player_id=objection.player_id)
    row = rows.last()
    try:
        written = read_text(objection.right)
    except CellError:
        return False
    if row is None or not written or getattr(row, objection.change) == written:
        return False
    correction_drafts.draft_change(objection.inquiry, "players", row.pk, **{objection.change: written})
    return True
