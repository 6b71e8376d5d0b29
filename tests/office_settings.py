"""The office's settings with a folder of its own, so that no test touches who runs it."""

import os
import tempfile

os.environ.setdefault("BANZUKE_HOME", tempfile.mkdtemp(prefix="banzuke-test-home-"))
os.environ["DJANGO_SETTINGS_MODULE"] = "banzuke.server.settings"  # what commands started by tests take

from banzuke.server.settings import *  # noqa: F403
from banzuke.server.settings import CACHES, HOME

# No process of tests counts for another.
CACHES["default"]["LOCATION"] = str(HOME / f"counts-{os.getpid()}.db")
