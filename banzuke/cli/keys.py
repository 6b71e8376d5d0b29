"""banzuke key: a key for a program, made at the office's machine."""

import getpass
from datetime import datetime, time
from typing import Annotated

import typer

from banzuke.cli.command import NO, command, leave
from banzuke.cli.office_data import known_pool, open_or_exit
from banzuke.cli.output import answer, text

Slug = Annotated[str, typer.Option("--pool", metavar="POOL", help=text("book-pool"))]
Scopes = Annotated[str, typer.Option("--scope", metavar="SCOPES", help=text("key-scopes"))]
User = Annotated[str | None, typer.Option("--user", metavar="NAME", help=text("key-user"))]
Until = Annotated[
    datetime | None, typer.Option("--until", metavar="DAY", formats=["%Y-%m-%d"], help=text("key-until"))
]
Name = Annotated[str | None, typer.Option("--name", metavar="NAME", help=text("key-name"))]


@command
def key(slug: Slug, scopes: Scopes, user: User = None, until: Until = None, name: Name = None) -> None:
    """Make a key for a program, and print it this once."""
    open_or_exit()
    from django.contrib.auth import get_user_model
    from django.utils import timezone

    from banzuke.database.models import Role
    from banzuke.office.administration import api_keys
    from banzuke.office.administration.users import program_of
    from banzuke.office.journal import Actor

    wanted = [word for word in scopes.replace(",", " ").split() if word]
    unknown = [word for word in wanted if word not in api_keys.SCOPES]
    if unknown or not wanted:
        leave(text("key-no-scope", scope=", ".join(unknown), known=", ".join(api_keys.SCOPES)))
    if until is not None and until.date() < timezone.localdate():
        leave(text("key-past", day=until.date()))
    pool, actor = known_pool(slug), Actor(getpass.getuser())
    owner = get_user_model().objects.filter(username=user, is_active=True).first() if user else None
    if user and owner is None:
        leave(text("key-no-user", user=user), NO)
    owner = owner or program_of(pool, actor)
    role = api_keys.find_role(owner, pool)
    if role is None or (role is Role.Kind.REPORTER and api_keys.OFFICERS.intersection(wanted)):
        leave(text("key-no-role", user=owner.username, pool=slug), NO)
    ends = timezone.make_aware(datetime.combine(until.date(), time.max)) if until else None
    made = api_keys.make_key(name or f"{slug}: {', '.join(wanted)}", owner, pool, wanted, ends, actor)
    facts = {"key": made.text, "pool": slug, "user": owner.username, "scopes": made.key.scopes}
    answer(facts | {"until": until.date().isoformat() if until else None}, made.text)
