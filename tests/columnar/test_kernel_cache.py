"""Compiled loops are kept by the text of all code that they may hold."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from banzuke.columnar import kernel_cache


def test_a_change_anywhere_in_the_sources_is_another_folder(tmp_path, monkeypatch):
    for source in kernel_cache.SOURCES:
        (tmp_path / source).mkdir(parents=True)
    (tmp_path / "core" / "a.py").write_text("ONE = 1\n")
    (tmp_path / "columnar" / "b.py").write_text("from a import ONE\n")
    monkeypatch.setattr(kernel_cache, "PACKAGE", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    first = kernel_cache.folder_of_kernels()
    assert first.is_dir()
    assert kernel_cache.folder_of_kernels() == first
    (tmp_path / "core" / "a.py").write_text("ONE = 2\n")
    assert kernel_cache.folder_of_kernels() != first
    assert kernel_cache.folder_of_kernels().parent == first.parent == tmp_path / "cache" / "banzuke"


def test_the_modules_of_rule_books_are_looked_at():
    names = {path.name for path in kernel_cache._of_books()}
    assert {"tables.py", "jcf_2024_twin.py", "monthly_games.py", "lookup_tables.py"} <= names


def test_without_a_cache_that_can_be_written_it_is_kept_for_the_process(tmp_path, monkeypatch):
    (tmp_path / "cache").write_text("a file")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = kernel_cache.folder_of_kernels()
    assert folder.is_dir()
    assert os.access(folder, os.W_OK)
    folder.rmdir()


@pytest.mark.parametrize("what", ["link", "owner", "the folder is a link"])
def test_nothing_is_run_that_another_user_may_have_put_there(what, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = kernel_cache.folder_of_kernels()
    assert folder.stat().st_mode & 0o077 == 0
    loop = folder / "loop.nbc"
    loop.touch(0o600)
    assert kernel_cache.folder_of_kernels() == folder
    if what == "link":
        (folder / "other.nbc").symlink_to(tmp_path / "elsewhere")
    elif what == "owner":
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    else:
        folder.rename(tmp_path / "elsewhere")
        folder.symlink_to(tmp_path / "elsewhere")
    other = kernel_cache.folder_of_kernels()
    assert (other != folder, other.stat().st_mode & 0o077) == (True, 0)
    other.rmdir()


@pytest.mark.parametrize("up", [0, 1])
def test_a_folder_that_others_could_write_to_is_begun_anew(up, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = kernel_cache.folder_of_kernels()
    (folder / "loop.nbc").touch()
    (folder, folder.parent)[up].chmod(0o775)
    assert kernel_cache.folder_of_kernels() == folder
    assert list(folder.iterdir()) == []
    assert (folder.stat().st_mode | folder.parent.stat().st_mode) & 0o077 == 0


def test_a_folder_that_the_environment_names_is_taken(tmp_path):
    said = "import os, banzuke.columnar; print(os.environ['NUMBA_CACHE_DIR'])"
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    ran = subprocess.run(
        [sys.executable, "-c", said], env=environment, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == str(tmp_path)
