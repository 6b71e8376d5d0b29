"""The office's settings with a folder of its own, so that no test touches who runs it."""

import os
import tempfile

os.environ.setdefault("BANZUKE_HOME", tempfile.mkdtemp(prefix="banzuke-test-home-"))
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = (
    "1"  # a browser that is held open looks to Django like a running loop
)
os.environ["DJANGO_SETTINGS_MODULE"] = "banzuke.server.settings"  # what commands started by tests take

from django.contrib.auth.hashers import Argon2PasswordHasher

from banzuke.server.settings import *  # noqa: F403
from banzuke.server.settings import CACHES, HOME

# No process of tests counts for another.
CACHES["default"]["LOCATION"] = str(HOME / f"counts-{os.getpid()}.db")

# A password is hashed in a millisecond; in an office, by what Django sets, in a tenth of a second.
Argon2PasswordHasher.time_cost, Argon2PasswordHasher.memory_cost, Argon2PasswordHasher.parallelism = 1, 8, 1
