"""What is shipped for setting an office up: constraints, container image, compose file, systemd units."""

from __future__ import annotations

import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
CONSTRAINTS = runpy.run_path(str(DEPLOY / "write_constraints.py"))["EXTRAS"]


def pinned(name):
    """The constraints as (requirement, number of hashes)."""
    text = (DEPLOY / name).read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(Requirement(line.partition("--hash")[0]), line.count("--hash=sha256:")) for line in lines]


def asked(extras):
    found = [*PROJECT["project"]["dependencies"], *PROJECT["build-system"]["requires"]]
    for extra in extras:
        found += PROJECT["project"]["optional-dependencies"][extra]
    return [each for each in map(Requirement, found) if each.name != "banzuke"]


@pytest.mark.parametrize(("name", "extras"), CONSTRAINTS.items())
def test_every_dependency_stands_there_at_a_version_that_fits(name, extras):
    versions: dict[str, list[str]] = {}
    for each, hashes in pinned(name):
        assert hashes, each
        (specifier,) = each.specifier
        assert specifier.operator == "==", each
        versions.setdefault(canonicalize_name(each.name), []).append(specifier.version)
    for need in asked(extras):
        found = versions.get(canonicalize_name(need.name), [])
        assert found, f"{need} is not in {name}: python deploy/write_constraints.py"
        assert all(version in need.specifier for version in found), (need, found)


def test_no_file_has_an_address_of_packages():
    for name in CONSTRAINTS:
        assert not re.search(
            r"https?:|file:|--(extra-)?index|--find-links", (DEPLOY / name).read_text("utf-8")
        )


def test_the_image_is_made_of_files_that_are_there():
    words = [line.split() for line in (DEPLOY / "Containerfile").read_text("utf-8").splitlines()]
    sources = [
        word for line in words if line[:1] == ["COPY"] and "--from=build" not in line for word in line[1:-1]
    ]
    assert {"banzuke", "pyproject.toml", "deploy/constraints.txt"} <= set(sources)
    assert all((ROOT / source).exists() for source in sources)
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert {*wheel["packages"], *wheel["force-include"]} <= set(sources)


def test_the_compose_file_names_every_setting_that_it_asks_for():
    asked_for = set(re.findall(r"\$\{(\w+)", (DEPLOY / "compose.yaml").read_text("utf-8")))
    given = set(re.findall(r"^(\w+)=", (DEPLOY / "env.example").read_text("utf-8"), re.MULTILINE))
    assert asked_for == {"OFFICE_NAME", "DATABASE_PASSWORD", "OFFICE_PASSWORD"}
    assert asked_for <= given


def environment_of(service, **given):
    """What a service of the compose file is told."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"][service]
    told = dict(given) if compose.get("env_file") == ".env" else {}
    return told | {
        name: re.sub(r"\$\{(\w+)[^}]*\}", lambda found: given[found[1]], value)
        for name, value in compose["environment"].items()
    }


GIVEN = {"OFFICE_NAME": "ratings.example.org", "DATABASE_PASSWORD": "owners", "OFFICE_PASSWORD": "offices"}


def test_the_office_is_never_told_the_owners_password():
    for service in ("office", "proxy"):
        assert "owners" not in " ".join(environment_of(service, **GIVEN).values())
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]
    assert compose["office"]["depends_on"]["prepare"] == {"condition": "service_completed_successfully"}
    unit = (DEPLOY / "banzuke.service").read_text("utf-8")
    assert "owner" not in unit
    assert "Wants=network-online.target banzuke-prepare.service" in unit


def test_a_backup_that_was_missed_waits_for_the_database_and_is_tried_again():
    unit = (DEPLOY / "banzuke-backup.service").read_text("utf-8")
    settings = dict(line.split("=", 1) for line in unit.splitlines() if line[:1].isalpha())
    office = (DEPLOY / "banzuke.service").read_text("utf-8")
    assert f"After={settings['After']}" in office
    assert (settings["Wants"], settings["Restart"]) == ("network-online.target", "on-failure")
    tries = int(settings["StartLimitBurst"]) * int(settings["RestartSec"])
    assert tries < 7200, "it gives up within its interval"


@pytest.mark.slow
def test_the_office_of_the_compose_file_works_as_a_role_that_owns_nothing(postgresql_server, tmp_path):
    """Its commands with its environment, on a PostgreSQL as its image makes it: `office` is a superuser."""
    postgresql_server.query("CREATE DATABASE composed")

    def run(service, *words, status=0):
        told = environment_of(service, **GIVEN)
        for name in ("DATABASE_URL", "BANZUKE_OWNER_URL"):
            if name in told:
                told[name] = told[name].replace(
                    "@database/office", f"@127.0.0.1:{postgresql_server.port}/composed"
                )
        env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "BANZUKE_LANG": "en"} | told
        env["BANZUKE_HOME"] = str(tmp_path / service)
        command = [sys.executable, "-m", "banzuke.cli.app", *map(str, words)]
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    early = run("office", "backup", tmp_path / "early.zip", status=2)
    assert "role" in early, "it was started too early, says so, and is started again"
    prepare = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))["services"]["prepare"]["command"]
    for _ in range(2):
        run("prepare", *prepare[1:])
    run("office", "import-ledger", ROOT / "examples" / "hakodate", "--pool", "club")
    run("prepare", *prepare[1:])
    assert "could open" not in run("office", "verify", "--all")
    assert not (tmp_path / "prepare" / "office-key").exists()


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize(
    "name",
    ["banzuke.service", "banzuke-backup.service", "banzuke-prepare.service", "banzuke-consume.service"],
)
def test_a_unit_is_well_formed_and_closed(name, tmp_path):
    """Its program is elsewhere here: a copy names one that is there."""
    unit = tmp_path / name
    text = (DEPLOY / name).read_text("utf-8").replace("/opt/banzuke/bin/banzuke", "/bin/true")
    unit.write_text(text, "utf-8")
    words = ["systemd-analyze", "verify", "--man=no", str(unit)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert not [line for line in done.stderr.splitlines() if name in line], done.stderr
    words = ["systemd-analyze", "security", "--offline=true", "--threshold=35", str(unit)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout[-300:]


def test_the_citation_names_the_program_s_licence_and_says_what_else_there_is():
    first, *others = PROJECT["project"]["license"].split(" AND ")
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    assert re.findall(r"(?m)^license: (.*)$", text) == [first]
    comment = " ".join(line for line in text.splitlines() if line.startswith("#"))
    assert others
    assert all(each in comment for each in others)
    named = set(re.findall(r"banzuke/[\w/.]+", comment))
    assert named
    assert all((ROOT / name).is_file() for name in named)
