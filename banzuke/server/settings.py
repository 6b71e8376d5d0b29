"""Django's settings: SQLite in the office's own folder unless DATABASE_URL names another database."""

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF

from banzuke.server.environment import GAME_WRITER as GAME_WRITER_NAME
from banzuke.server.environment import POSTGRESQL, SQLITE, SQLITE_SETTINGS, check_environment
from banzuke.server.log_format import LOGGING as LOGGING  # noqa: PLC0414  # a setting
from banzuke.server.office_folder import check_home, home_of
from banzuke.server.signing_key import secret_key

check_environment(os.environ)
HOME = home_of(os.environ)
check_home(HOME)
PACKAGE = Path(__file__).parents[1]

_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{HOME / 'office.db'}"
DATABASES: dict[str, Any] = {"default": dj_database_url.parse(_URL, conn_max_age=None)}
if DATABASES["default"]["ENGINE"] == SQLITE:
    DATABASES["default"]["OPTIONS"] = {
        "init_command": "; ".join(SQLITE_SETTINGS),
        "transaction_mode": "IMMEDIATE",  # writers wait for one another from the start
        "timeout": 30,
    }
if DATABASES["default"]["ENGINE"] == POSTGRESQL:
    # A database's machine may vanish without a word. The system would wait a quarter of an hour for it, and
    # with it a thread, and all games of a pool. What the address says of these holds instead. Seconds; the
    # last, for what was sent and is not acknowledged, is milliseconds.
    DATABASES["default"]["OPTIONS"] = {
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 2,
        "tcp_user_timeout": 20_000,
    } | DATABASES["default"].get("OPTIONS", {})
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

SECRET_KEY = secret_key(HOME)
DEBUG = False
ALLOWED_HOSTS = [
    *os.environ.get("BANZUKE_HOSTS", "").split(),
    "127.0.0.1",
    "localhost",
    "[::1]",
]
ROOT_URLCONF = "banzuke.server.urls"
WSGI_APPLICATION = "banzuke.server.wsgi.application"

INSTALLED_APPS = [
    "banzuke.web",  # first: its templates stand in for those of the apps below
    "django.contrib.admin.apps.SimpleAdminConfig",  # its site is banzuke.web.accounts.admin_site
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.forms",  # the templates of fields, of which we have some of our own
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "axes",
    "csp",
    "django_htmx",
    "banzuke.database",
]
MIDDLEWARE = [
    "banzuke.web.accounts.middleware.ClientAddressMiddleware",
    "banzuke.api.deprecation_headers.DeprecationMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "banzuke.web.accounts.middleware.PermissionsMiddleware",
    "banzuke.web.accounts.middleware.SecretPagesMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "banzuke.web.accounts.middleware.ValidTextMiddleware",
    "banzuke.web.accounts.sessions.OfficeSessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "banzuke.web.accounts.middleware.IdleSignOutMiddleware",
    "banzuke.web.accounts.middleware.FirstOfficerMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]
FORM_RENDERER = "django.forms.renderers.TemplatesSetting"
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "desk"

# Who signs in, and how
AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",  # of users who were taken over from elsewhere
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 10}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]
ACCOUNT_ADAPTER = "banzuke.web.accounts.signing_in.OfficeAccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_SESSION_REMEMBER = True  # a session lasts as long as SESSION_COOKIE_AGE says
ACCOUNT_LOGOUT_REDIRECT_URL = "/"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes"]
MFA_TOTP_ISSUER = "Banzuke"
MFA_TOTP_TOLERANCE = 1  # a telephone's clock may be half a minute off
MFA_FORMS = {
    "authenticate": "banzuke.web.accounts.signing_in.AuthenticateForm",
    "reauthenticate": "banzuke.web.accounts.signing_in.ReauthenticateForm",
}
# Five failures of one name from one address close the door to the two for a quarter of an hour.
AXES_FAILURE_LIMIT = 5
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_COOLOFF_TIME = timedelta(minutes=15)
AXES_RESET_ON_SUCCESS = True
AXES_SENSITIVE_PARAMETERS = ["login", "username", "ip_address"]  # what was typed is kept nowhere
AXES_CLIENT_IP_CALLABLE = "banzuke.web.accounts.middleware.client_address"
AXES_LOCKOUT_TEMPLATE = "account/locked.html"
AXES_DISABLE_ACCESS_LOG = True  # the journal has it
AXES_ENABLE_ADMIN = False
AXES_VERBOSE = False

SESSION_ENGINE = "banzuke.web.accounts.sessions"
SESSION_COOKIE_AGE = 14 * 24 * 3600
OFFICERS_IDLE = timedelta(hours=1)

# What a browser is told. Behind TLS (BANZUKE_TLS=1) cookies travel by it only, and so do browsers for a year.
TLS = os.environ.get("BANZUKE_TLS") == "1"
#: Addresses and networks of proxies whose word is taken for where a request comes from.
TRUSTED_PROXIES = os.environ.get("BANZUKE_TRUSTED_PROXY", "127.0.0.1 ::1" if TLS else "").split()
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TLS else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = TLS
SECURE_HSTS_SECONDS = 365 * 24 * 3600 if TLS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}

# What limits count (of the API, of attempts to sign in) is counted by all processes together; what a page
# keeps for a moment stays in the memory of its process.
CACHES = {
    "default": {"BACKEND": "banzuke.server.shared_cache.SharedCache", "LOCATION": str(HOME / "counts.db")},
    "memory": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"},
}

#: Whether feeds are posted without TLS, too, to other machines than this one.
WEBHOOKS_HTTP = os.environ.get("BANZUKE_WEBHOOKS_HTTP") == "1"

# A crosstable of sixty players has 3,600 cells, a sheet of a thousand games 5,000 fields.
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

STATIC_URL = "/static/"
WHITENOISE_USE_FINDERS = True

USE_TZ = True
TIME_ZONE = os.environ.get("BANZUKE_TIME_ZONE") or "Asia/Tokyo"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ja", "日本語")]
LOCALE_PATHS = sorted(path for path in (PACKAGE / "web" / "locale").iterdir() if path.is_dir())

# Where the process listens that writes the games of all that serve pages; blank: each writes itself.
GAME_WRITER = os.environ.get(GAME_WRITER_NAME, "")

# Notices go by the mail server of the environment; one that does not answer is given up on quickly.
EMAIL_HOST = os.environ.get("EMAIL_HOST") or "localhost"
EMAIL_PORT = int(os.environ.get("EMAIL_PORT") or "25")
EMAIL_HOST_USER = os.environ.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = os.environ.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = os.environ.get("EMAIL_USE_TLS") == "1"
EMAIL_TIMEOUT = 5
DEFAULT_FROM_EMAIL = os.environ.get("EMAIL_FROM") or "banzuke@localhost"
