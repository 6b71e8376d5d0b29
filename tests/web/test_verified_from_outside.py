"""The examples served as an office: each list is verified over HTTP by a process that has no office.

`.ci/run` verifies every third list of each example.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.request

import pytest
from properties import is_whole, some_of
from served_office import opened

VERIFY = (sys.executable, "-m", "banzuke.cli.app", "verify")
#: What a process of a doubter has of this one's surroundings.
KNOWN = ("PATH", "PYTHONPATH", "LANG", "LC_ALL")


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with opened(tmp_path_factory.mktemp("demo"), "demo", "--serve") as said:
        yield said["address"].rstrip("/")


def get(address, path):
    with urllib.request.urlopen(f"{address}/api/v1/{path}") as answer:
        return json.load(answer)


def lists(address):
    """The page of each list and revision of each pool."""
    for pool in get(address, "pools")["pools"]:
        yield from some_of(
            f"{address}/{pool['pool']}/lists/{one['list']}/?revision={revision}"
            for one in get(address, f"pools/{pool['pool']}/lists")["lists"]
            for revision in range(one["revision"] + 1)
        )


@pytest.mark.slow
def test_every_list_of_every_example(address, tmp_path):
    environment = {name: os.environ[name] for name in KNOWN if name in os.environ}
    environment |= {"BANZUKE_LANG": "en", "BANZUKE_HOME": str(tmp_path / "none")}
    pages = list(lists(address))
    assert len(pages) > (40 if is_whole() else 13)
    assert len({page.split("/")[3] for page in pages}) == 4
    for page in pages:
        done = subprocess.run(
            [*VERIFY, page], check=False, capture_output=True, text=True, env=environment, cwd=tmp_path
        )
        assert (done.returncode, done.stderr) == (0, ""), done.stdout
        assert "the same, to the byte" in done.stdout
    assert list(tmp_path.iterdir()) == []
