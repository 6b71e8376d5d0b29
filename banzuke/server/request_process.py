"""What a process that answers requests does before the first one."""

import gc

from banzuke.database.patience import limit_waiting

#: After so many new objects it is looked whether some are of no more use: a batch of games makes thousands.
OBJECTS = 50_000
#: Milliseconds that a request waits for whoever writes to the database.
PATIENCE = 2_500


def prepare_for_requests() -> None:
    """Call it once everything is loaded that requests need."""
    gc.freeze()  # what is loaded stays, and is not looked through again
    gc.set_threshold(OBJECTS)
    limit_waiting(PATIENCE)
