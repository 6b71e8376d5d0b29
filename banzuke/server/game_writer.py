"""The process that writes games, beside the pages: `python -m banzuke.server.game_writer ADDRESS`.

It can be ended at any time: what is not committed was not answered, and who handed it over writes it.
"""

import os
import sys

import django

from banzuke.server.office_folder import keep_private
from banzuke.server.request_process import prepare_for_requests


def main() -> None:
    """Write games until SIGTERM, or until the process that started this one is gone."""
    keep_private()
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
    django.setup()
    from banzuke.api.live.game_handover import write_games

    prepare_for_requests()
    write_games(sys.argv[1])


if __name__ == "__main__":
    main()
