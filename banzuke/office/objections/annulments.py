"""An inquiry about a game of Go, which is annulled instead of corrected."""

from django.db import transaction

from banzuke.database.models import Inquiry
from banzuke.office import notices
from banzuke.office.journal import Actor, add_step, note
from banzuke.office.lists.correction_drafts import lock_open_inquiry
from banzuke.office.lists.corrections import refuse_first_officer
from banzuke.office.live.pool_events import standing_annulment
from banzuke.office.refusals import NotAnnulledError


def close_as_annulled(inquiry: Inquiry, game_id: str, actor: Actor, why: str) -> None:
    """Close an inquiry as upheld, whose game has been annulled.

    Raises NotAnnulledError, InquiryClosedError, AppealOfficerError.
    """
    with transaction.atomic():
        found = lock_open_inquiry(inquiry)
        refuse_first_officer(found, actor)
        annulled = standing_annulment(found.pool, game_id)
        if annulled is None:
            raise NotAnnulledError(game=game_id)
        add_step(found, Inquiry.State.CORRECTED, actor, why, entry=annulled.entry)
        note(actor, "annulled", found.pool, inquiry=found.pk, game=game_id)
        notices.notify_of_inquiry(found, "corrected")
