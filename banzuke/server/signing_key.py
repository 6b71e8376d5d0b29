"""The key that signs sessions: from the environment, else one of the office's own, made once."""

import os
import secrets
from pathlib import Path
from time import sleep

from banzuke.core.fault import RefusedError, fault
from banzuke.office.private_file import write_once
from banzuke.server.environment import LEAST_KEY_LENGTH
from banzuke.server.office_folder import make_home

FILE = "secret-key"
LENGTH = 50
#: How often, and how many seconds apart, a file is looked at that holds no key yet: another process, of an
#: earlier version, may be writing it.
LOOKS, BETWEEN = 20, 0.1


def secret_key(home: Path) -> str:
    """BANZUKE_SECRET_KEY, or what stands in the office's folder (made, readable by its owner only).

    Raises RefusedError where the file there holds no key, OSError.
    """
    given = os.environ.get("BANZUKE_SECRET_KEY")
    if given:
        return given
    path = home / FILE
    if not path.exists():
        make_home(home)
        write_once(path, secrets.token_urlsafe(LENGTH).encode())
    return _read(path)


def _read(path: Path) -> str:
    for _ in range(LOOKS):
        found = path.read_bytes()
        if found.isascii() and len(found.strip()) >= LEAST_KEY_LENGTH:
            return found.decode("ascii")
        sleep(BETWEEN)
    raise RefusedError([fault(FILE, 0, "", "setting-key-file", path=path, least=LEAST_KEY_LENGTH)])
