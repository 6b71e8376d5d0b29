"""The secret link to an inquiry: 256 bits, of which the database keeps a hash.

Where mails are to lead there, a salt is kept as well, from which this office alone can make the link again:
the key for it stands outside the database. It is forgotten with the e-mail address.
"""

import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

from django.urls import reverse
from django.utils.crypto import salted_hmac

from banzuke.database.models import Objection

#: Letters of a link's token: 256 bits as base64.
LENGTH = 43
_PURPOSE = "objection-link"


def new_salt() -> str:
    """A salt from which a token is made."""
    return secrets.token_hex(32)


def token_of(salt: str) -> str:
    """The token of a salt, which nobody makes without the office's key."""
    digest = salted_hmac(_PURPOSE, salt, algorithm="sha256").digest()
    return urlsafe_b64encode(digest).decode().rstrip("=")


def hash_of(token: str) -> str:
    """What the database knows a token by."""
    return sha256(token.encode()).hexdigest()


def find_objection(token: str) -> Objection | None:
    """The objection that a link leads to; None for any other token."""
    rows = Objection.objects.select_related("inquiry__pool", "list")
    return rows.filter(token_sha256=hash_of(token)).first() if len(token) == LENGTH else None


def address_of(objection: Objection) -> str:
    """The whole address, for mails; blank where the office's key is another by now."""
    token = token_of(objection.salt)
    known = bool(objection.salt) and hash_of(token) == objection.token_sha256
    return objection.site + reverse("objection", kwargs={"token": token}) if known else ""
