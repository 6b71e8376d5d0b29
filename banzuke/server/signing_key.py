"""The key that signs sessions: from the environment, else one of the office's own, made once."""

import os
import secrets
from pathlib import Path

from banzuke.server.office_folder import make_home

LENGTH = 50


def secret_key(home: Path) -> str:
    """BANZUKE_SECRET_KEY, or what stands in the office's folder (made, readable by its owner only)."""
    given = os.environ.get("BANZUKE_SECRET_KEY")
    if given:
        return given
    path = home / "secret-key"
    if not path.exists():
        make_home(home)
        try:
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
                stream.write(secrets.token_urlsafe(LENGTH))
        except FileExistsError:
            pass  # another process made it just now
    return path.read_text("ascii")
