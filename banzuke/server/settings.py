"""Django's settings: SQLite in the office's own folder unless DATABASE_URL names another database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dj_database_url

from banzuke.server.secret import secret_key

#: Where an office keeps its database when nobody says otherwise.
HOME = Path(os.environ.get("BANZUKE_HOME") or Path.home() / ".banzuke")
PACKAGE = Path(__file__).parents[1]

_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{HOME / 'office.db'}"
DATABASES: dict[str, Any] = {"default": dj_database_url.parse(_URL, conn_max_age=None)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Readers never wait for a writer, a commit is on the disk, writers wait for one another from the start.
    DATABASES["default"]["OPTIONS"] = {
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

SECRET_KEY = secret_key(HOME)
DEBUG = False
ALLOWED_HOSTS = [*os.environ.get("BANZUKE_HOSTS", "").split(), "127.0.0.1", "localhost", "[::1]", "testserver"]
ROOT_URLCONF = "banzuke.server.urls"
WSGI_APPLICATION = "banzuke.server.wsgi.application"

INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "banzuke.book",
    "banzuke.web",
]
MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
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
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "desk"

STATIC_URL = "/static/"
STATIC_ROOT = HOME / "static"
WHITENOISE_USE_FINDERS = True

USE_TZ = True
TIME_ZONE = os.environ.get("BANZUKE_TIME_ZONE", "Asia/Tokyo")
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ja", "日本語")]
LOCALE_PATHS = sorted(path for path in (PACKAGE / "web" / "locale").iterdir() if path.is_dir())
