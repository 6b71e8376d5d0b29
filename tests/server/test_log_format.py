"""What the terminal shows of errors: nothing of their texts, and each once."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import logging, sys, threading, django
django.setup()
from banzuke.server.log_format import print_places_only
print_places_only()
def fail():
    raise ValueError("born 1990")
class Fails:
    __del__ = lambda _: fail()
def log(name):
    try:
        fail()
    except ValueError:
        logging.getLogger(name).exception("an error")
{}
"""


def shown(tmp_path, act):
    env = os.environ | {"BANZUKE_HOME": str(tmp_path), "DJANGO_SETTINGS_MODULE": "banzuke.server.settings"}
    command = [sys.executable, "-c", PROGRAM.format(act)]
    return subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=False).stderr


@pytest.mark.parametrize(
    "act",
    [
        *(f"log({name!r})" for name in ("banzuke.server", "django.request", "asyncio", "others")),
        "fail()",
        "threading.Thread(target=fail).start()",
        "Fails()",
    ],
)
def test_an_error_is_shown_once_without_its_text(tmp_path, act):
    said = shown(tmp_path, act)
    assert said.count("ValueError") == 1
    assert "1990" not in said
    assert "in fail" in said


@pytest.mark.parametrize(
    "act",
    [
        "log('django.security.DisallowedHost')",
        "logging.getLogger('x').info('x')",
        "threading.Thread(target=sys.exit).start()",
    ],
)
def test_nothing_is_shown_of(tmp_path, act):
    assert shown(tmp_path, act) == ""
