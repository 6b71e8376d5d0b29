"""A setting of the environment by which no office can be opened is told in a sentence, before anything is made."""

from __future__ import annotations

import re
import subprocess

import pytest
from command_runs import no_traceback, outside
from languages import IN_TURN

from banzuke.core.fault import RefusedError
from banzuke.server.environment import check_environment
from banzuke.server.office_folder import make_home
from banzuke.words import fault_line

SECRET = "hunter2"
BAD = {
    "DATABASE_URL": [
        "office.db",
        f"mysql://office:{SECRET}@127.0.0.1/office",
        f"postgres://office:{SECRET}@127.0.0.1:port/office",
        f"postgres://office:{SECRET}@127.0.0.1:99999/office",
        f"postgres://office:{SECRET}[@127.0.0.1/office",
    ],
    "BANZUKE_HOSTS": ["https://ratings.example.org", "ratings.example.org:8000", "a,b", "::1", "*"],
    "BANZUKE_TLS": ["yes", "true", "2"],
    "BANZUKE_TRUSTED_PROXY": ["10.0.0.300", "proxy.example.org", "10.0.0.1/8", "127.0.0.1,::1"],
    "BANZUKE_SECRET_KEY": ["secret", " " * 60],
    "BANZUKE_TIME_ZONE": ["Tokyo", "Asia", "Asia/Tokio", "../../etc/passwd", "/etc/localtime"],
    "BANZUKE_WORKERS": ["two", "0", "65", "-1", "２"],
    "EMAIL_PORT": ["smtp", "0", "65536", "٢٥"],
    "EMAIL_USE_TLS": ["yes"],
    "EMAIL_FROM": ["ratings", "@example.org", "a@example.org\nBcc: b@example.org"],
}
GOOD = {
    "DATABASE_URL": [
        "",
        "sqlite:////srv/office.db",
        "sqlite://:memory:",
        "postgres://office:%40@127.0.0.1:5432/office",
    ],
    "BANZUKE_HOSTS": ["", "ratings.example.org 192.168.1.20 [2001:db8::20] .example.org"],
    "BANZUKE_TLS": ["", "0", "1"],
    "BANZUKE_TRUSTED_PROXY": ["", "127.0.0.1 ::1 10.0.0.0/8 2001:db8::/32"],
    "BANZUKE_SECRET_KEY": ["", "k" * 32],
    "BANZUKE_TIME_ZONE": ["", "Asia/Tokyo", "UTC"],
    "BANZUKE_WORKERS": ["", "1", "64"],
    "EMAIL_PORT": ["", "587"],
    "EMAIL_USE_TLS": ["", "0", "1"],
    "EMAIL_FROM": ["", "ratings@example.org", "Rating Office <ratings@example.org>"],
}


def each(table):
    return [(name, value) for name, values in table.items() for value in values]


@pytest.mark.parametrize(("name", "value"), each(BAD))
def test_what_cannot_be(name, value):
    with pytest.raises(RefusedError) as refused:
        check_environment({name: value})
    [fault] = refused.value.faults
    assert fault.file == name
    assert SECRET not in str(fault)


@pytest.mark.parametrize(("name", "value"), each(GOOD))
def test_what_can_be(name, value):
    check_environment({name: value})


def test_postgresql_without_its_extra(monkeypatch):
    monkeypatch.setattr("banzuke.server.environment.find_spec", lambda name: None)
    with pytest.raises(RefusedError) as refused:
        check_environment({"DATABASE_URL": "postgres://office@127.0.0.1/office"})
    assert [fault.code for fault in refused.value.faults] == ["setting-driver"]


@pytest.mark.parametrize(
    ("lang", "right"), [("en", "e.g. 127.0.0.1 10.0.0.0/8."), ("ja", "（例：127.0.0.1 10.0.0.0/8）。")]
)
@pytest.mark.slow
def test_all_of_them_on_the_terminal(lang, right, tmp_path):
    home = tmp_path / "office"
    bad = {name: values[0] for name, values in BAD.items()}
    ran = outside("serve", BANZUKE_HOME=str(home), BANZUKE_LANG=lang, **bad)
    assert (ran.status, ran.out) == (2, "")
    *said, _count = no_traceback(ran).splitlines()
    assert [line.partition(":")[0] for line in said] == list(BAD)
    assert said[3].endswith(right)
    assert not home.exists()


@pytest.mark.parametrize("lang", IN_TURN)
@pytest.mark.parametrize("what", ["a file", "below a file"])
@pytest.mark.slow
def test_a_home_that_is_no_folder(lang, what, tmp_path):
    home = tmp_path / "office"
    home.write_text("", "utf-8")
    said = home / "below" if what == "below a file" else home
    ran = outside("backup", tmp_path / "x.zip", BANZUKE_HOME=str(said), DATABASE_URL="", BANZUKE_LANG=lang)
    assert (ran.status, ran.out) == (2, "")
    [line] = no_traceback(ran).splitlines()
    assert "BANZUKE_HOME" in line


@pytest.mark.parametrize(("mode", "lang"), [(0o755, "en"), (0o750, "ja"), (0o701, "en")])
def test_a_folder_that_others_can_look_into_is_refused_until_it_is_closed(mode, lang, tmp_path):
    home = tmp_path / "the office"
    home.mkdir()
    home.chmod(mode)
    with pytest.raises(RefusedError) as refused:
        make_home(home)
    said = fault_line(refused.value.faults[0], lang)
    assert said.startswith("BANZUKE_HOME: ")
    command = re.search("chmod 700 .*", said)[0]
    subprocess.run(command, shell=True, check=True)
    make_home(home)


def test_nothing_is_written_into_such_a_folder(tmp_path):
    home = tmp_path / "office"
    home.mkdir()
    home.chmod(0o755)
    ran = outside("backup", tmp_path / "x.zip", BANZUKE_HOME=str(home), DATABASE_URL="", BANZUKE_LANG="en")
    assert (ran.status, list(home.iterdir())) == (2, [])
    assert "chmod 700" in no_traceback(ran)


@pytest.mark.slow  # it waits for two seconds
def test_a_signing_key_that_is_none_is_said_with_what_to_do(tmp_path):
    home = tmp_path / "office"
    make_home(home)
    (home / "secret-key").touch()
    ran = outside("backup", tmp_path / "x.zip", BANZUKE_HOME=str(home), DATABASE_URL="", BANZUKE_LANG="en")
    assert ran.status == 2
    assert "Delete it" in no_traceback(ran)
