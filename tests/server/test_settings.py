"""The office's settings, as its processes have them."""

from __future__ import annotations

import runpy

import pytest

from banzuke.server import settings


@pytest.fixture
def settings_with(monkeypatch, tmp_path):
    """`settings_with(url)` gives the settings of an office whose database that is."""

    def read(url):
        monkeypatch.setenv("BANZUKE_HOME", str(tmp_path))
        monkeypatch.setenv("DATABASE_URL", url)
        return runpy.run_path(settings.__file__)

    return read


def test_a_database_that_is_gone_without_a_word_is_not_waited_for(settings_with):
    psycopg = pytest.importorskip("psycopg")
    options = settings_with("postgres://office@127.0.0.1/office")["DATABASES"]["default"]["OPTIONS"]
    known = {each.keyword.decode() for each in psycopg.pq.Conninfo.get_defaults()}
    assert set(options) <= known
    assert options["tcp_user_timeout"] == 20_000


def test_what_the_address_says_of_it_holds(settings_with):
    pytest.importorskip("psycopg")
    url = "postgres://office@127.0.0.1/office?tcp_user_timeout=5000&sslmode=require"
    options = settings_with(url)["DATABASES"]["default"]["OPTIONS"]
    assert (options["tcp_user_timeout"], options["sslmode"]) == (5000, "require")
    assert options["keepalives_idle"] == 10


def test_a_file_has_no_such_options(settings_with, tmp_path):
    options = settings_with(f"sqlite:///{tmp_path / 'office.db'}")["DATABASES"]["default"]["OPTIONS"]
    assert "tcp_user_timeout" not in options
