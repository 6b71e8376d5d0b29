"""banzuke database: the office's database made ready by its owner."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING, Any

from banzuke.cli.command import command, leave
from banzuke.cli.office_data import OWNER, open_or_exit
from banzuke.cli.output import answer, text

if TYPE_CHECKING:
    from collections.abc import Mapping


@command
def prepare() -> None:
    """Bring the database up to date as its owner, and let the office's role work in it."""
    import dj_database_url

    from banzuke.server.environment import POSTGRESQL

    address = os.environ.get("DATABASE_URL", "")
    office = dj_database_url.parse(address) if address else {}
    if office.get("ENGINE") == POSTGRESQL:
        _prepare_roles(office)
    else:
        _prepare_file()


def _prepare_file() -> None:
    open_or_exit()
    from banzuke.database.roles import close_tables

    close_tables()
    answer({"role": None}, text("prepare-sqlite"))


def _prepare_roles(office: Mapping[str, Any]) -> None:
    import dj_database_url
    import django
    from django.db import Error

    from banzuke.server.signing_key import LENGTH

    owner = os.environ.get(OWNER, "")
    if not owner:
        leave(text("prepare-no-owner", variable=OWNER))
    place = ("ENGINE", "HOST", "PORT", "NAME")
    if [dj_database_url.parse(owner).get(part) for part in place] != [office.get(part) for part in place]:
        leave(text("prepare-two-databases", variable=OWNER))
    os.environ["DATABASE_URL"] = owner
    os.environ.setdefault("BANZUKE_SECRET_KEY", secrets.token_urlsafe(LENGTH))  # nothing is signed by it
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "banzuke.server.settings")
    django.setup()
    from banzuke.database import roles

    role = office["USER"]
    try:
        roles.take_over(role, office["PASSWORD"])
        open_or_exit(has_folder=False)
        roles.close_tables()
        roles.grant(role)
    except roles.OneRoleError:
        leave(text("prepare-one-role", role=role))
    except roles.NotAllowedError as error:
        leave(text("prepare-superuser", statement=error))
    except roles.TooStrongError:
        leave(text("prepare-too-strong", role=role))
    except Error as error:
        leave(text("book-closed", reason=str(error).strip().partition("\n")[0]))
    answer({"role": role}, text("prepare-done", role=role))
