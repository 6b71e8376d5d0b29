"""Who works in the office: users, the links by which they choose a password, their roles."""

from contextlib import suppress

from allauth.mfa.models import Authenticator
from django.contrib.auth import SESSION_KEY, get_user_model
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.contrib.sessions.models import Session
from django.db import IntegrityError, transaction
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_decode, urlsafe_base64_encode

from banzuke.core.facts import Club
from banzuke.database.models import ApiKey, Pool, Role
from banzuke.office.administration.api_keys import revoke_key
from banzuke.office.fact_rows import standing_rows
from banzuke.office.journal import Actor, note
from banzuke.office.refusals import UnknownClubError


class _InvitationTokens(PasswordResetTokenGenerator):
    """Django's, but an e-mail address that is entered after the link was made does not end the link.

    The link is handed over by whoever made it, never sent to that address.
    """

    def _make_hash_value(self, user: AbstractBaseUser, timestamp: int) -> str:
        last = user.last_login.replace(microsecond=0, tzinfo=None) if user.last_login else ""
        return f"{user.pk}{user.password}{last}{timestamp}"


_TOKENS = _InvitationTokens()
#: What becomes of a reporter's address for notices, as the journal has it.
NOTICES_BEGIN, NOTICES_CHANGE, NOTICES_END = "notices-begin", "notices-change", "notices-end"


#: How the names of users for programs begin; the colon stands in no person's name.
PROGRAM = "program:"


class TakenNameError(Exception):
    """A name that another user has."""


class LastAdministratorError(Exception):
    """The office would be left without an administrator."""


def add_user(name: str, actor: Actor) -> User:
    """A new user without a password, who chooses one by the invitation. Raises TakenNameError."""
    try:
        with transaction.atomic():
            user: User = get_user_model().objects.create_user(name)
            note(actor, "user-added", user=name)
    except IntegrityError:
        raise TakenNameError(name) from None
    return user


def has_people() -> bool:
    """Whether anybody but programs uses the office; else its first officer is still to come."""
    return get_user_model().objects.exclude(username__startswith=PROGRAM).exists()


def program_of(pool: Pool, actor: Actor) -> User:
    """The user that a pool's programs act for, made an officer of the pool; nobody can sign in as it."""
    name = f"{PROGRAM}{pool.slug}"
    with suppress(TakenNameError):  # another command was faster
        if not get_user_model().objects.filter(username=name).exists():
            add_user(name, actor)
    with transaction.atomic():
        user: User = get_user_model().objects.select_for_update().get(username=name)
        if not Role.objects.filter(user=user, pool=pool, kind=Role.Kind.OFFICER).exists():
            give_role(user, Role.Kind.OFFICER, pool, "", actor)
    return user


def add_first_officer(name: str, password: str, where: str) -> User:
    """The first officer: administrator, and so chief officer of every pool. The password was checked."""
    with transaction.atomic():
        user: User = get_user_model().objects.create_user(name, password=password)
        Role.objects.create(user=user, kind=Role.Kind.ADMINISTRATOR)
        note(Actor(name, where), "first-officer", user=name)
    return user


def invitation(user: User, actor: Actor) -> tuple[str, str]:
    """The two parts of a link by which the user chooses a password, once and within three days."""
    note(actor, "user-invited", user=user.username)
    return urlsafe_base64_encode(force_bytes(user.pk)), _TOKENS.make_token(user)


def find_invited_user(who: str, token: str) -> User | None:
    """The user of an invitation that still holds; None for any other."""
    try:
        user = get_user_model().objects.get(pk=int(urlsafe_base64_decode(who)), is_active=True)
    except (ValueError, OverflowError, get_user_model().DoesNotExist):
        return None
    return user if _TOKENS.check_token(user, token) else None


def choose_password(user: User, password: str, actor: Actor) -> None:
    """Set a password that was checked; links and sessions from before hold no longer."""
    with transaction.atomic():
        user.set_password(password)
        user.save(update_fields=["password"])  # nothing else: the user may just have been closed
        note(actor, "password-chosen")


def give_role(user: User, kind: Role.Kind, pool: Pool | None, club_id: str, actor: Actor) -> Role:
    """Give a role: an administrator's in all pools, a reporter's for a club. Raises UnknownClubError."""
    if kind is Role.Kind.ADMINISTRATOR:
        pool = None
    if kind is not Role.Kind.REPORTER:
        club_id = ""
    elif pool is not None:
        _check_club(pool, club_id)
    with transaction.atomic():
        role, _new = Role.objects.get_or_create(user=user, pool=pool, kind=kind, club_id=club_id)
        note(actor, "role-given", pool, user=user.username, role=kind.value, club=club_id)
    return role


def send_notices_to(role: Role, address: str, actor: Actor) -> str:
    """Let a reporter be told by e-mail of the club's reports, an officer of planned lists; blank: no longer.

    Gives what it did, as the journal notes it without the address; blank where nothing changed. An address
    that no role of the user needs any more is forgotten.
    """
    now = role.user.email if role.wants_notices else ""
    if address == now:
        return ""
    act = NOTICES_END if not address else NOTICES_CHANGE if now else NOTICES_BEGIN
    with transaction.atomic():
        role.wants_notices = bool(address)
        role.save(update_fields=["wants_notices"])
        if address or not role.user.roles.filter(wants_notices=True).exists():
            role.user.email = address
            role.user.save(update_fields=["email"])
        note(actor, act, role.pool, user=role.user.username, club=role.club_id)
    return act


def _check_club(pool: Pool, club_id: str) -> None:
    clubs = standing_rows(pool, Club)
    if (club_id or clubs.exists()) and not clubs.filter(club_id=club_id).exists():
        raise UnknownClubError(club=club_id)


def take_role(role: Role, actor: Actor) -> None:
    """Take a role, and the keys that are left without one. Raises LastAdministratorError."""
    with transaction.atomic():
        _wait_for_administrators()
        if role.wants_notices:
            send_notices_to(role, "", actor)
        role.delete()
        _keep_an_administrator()
        note(actor, "role-taken", role.pool, user=role.user.username, role=role.kind, club=role.club_id)
        _revoke_keys_without_role(role.user, actor)


def _revoke_keys_without_role(user: User, actor: Actor) -> None:
    """Revoke the user's keys for a pool in which the user has no role any more (for all: in none)."""
    pools = set(Role.objects.filter(user=user).values_list("pool_id", flat=True))
    for key in ApiKey.objects.filter(user=user, revoked_at=None):
        if not (pools if key.pool_id is None else pools & {None, key.pool_id}):
            revoke_key(key, actor)


def set_active(user: User, yes: bool, actor: Actor) -> None:
    """Close the door to a user, whose sessions end for good, or open it. Raises LastAdministratorError."""
    with transaction.atomic():
        _wait_for_administrators()
        user.is_active = yes
        user.save(update_fields=["is_active"])
        _keep_an_administrator()
        if not yes:
            _end_sessions(user)
        note(actor, "user-opened" if yes else "user-closed", user=user.username)


def _end_sessions(user: User) -> None:
    """End the user's sessions: opened again, the user signs in again."""
    for session in Session.objects.iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


def _wait_for_administrators() -> None:
    """Wait until nobody else takes an administrator's role or door: two would leave none."""
    roles = Role.objects.select_for_update().filter(kind=Role.Kind.ADMINISTRATOR).order_by("pk")
    list(roles.values_list("pk"))


def _keep_an_administrator() -> None:
    if not Role.objects.filter(kind=Role.Kind.ADMINISTRATOR, pool=None, user__is_active=True).exists():
        raise LastAdministratorError


def reset_second_factor(user: User, actor: Actor) -> None:
    """Forget a user's second factor, such as one lost with a telephone; the user sets up another."""
    with transaction.atomic():
        Authenticator.objects.filter(user=user).delete()
        note(actor, "second-factor-reset", user=user.username)


def has_second_factor(user: User | AnonymousUser) -> bool:
    """Whether the user signs in with a second factor."""
    return bool(Authenticator.objects.filter(user_id=user.pk, type=Authenticator.Type.TOTP).exists())
