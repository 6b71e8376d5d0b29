"""Django's settings: SQLite in the office's own folder unless DATABASE_URL names another database."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import dj_database_url

#: Where an office keeps its database when nobody says otherwise.
HOME = Path(os.environ.get("BANZUKE_HOME") or Path.home() / ".banzuke")

_URL = os.environ.get("DATABASE_URL") or f"sqlite:///{HOME / 'office.db'}"
DATABASES: dict[str, Any] = {"default": dj_database_url.parse(_URL)}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    # Readers never wait for a writer, a commit is on the disk, writers wait for one another from the start.
    DATABASES["default"]["OPTIONS"] = {
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        "transaction_mode": "IMMEDIATE",
        "timeout": 30,
    }
INSTALLED_APPS = ["django.contrib.contenttypes", "django.contrib.auth", "banzuke.book"]
USE_TZ = True
TIME_ZONE = "Asia/Tokyo"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ja", "日本語")]
