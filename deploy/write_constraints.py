"""Write the constraints files: every package that an office needs, at one version, with its hashes.

    pip install uv && python deploy/write_constraints.py [--upgrade]

The files hold for every supported Python and machine. They have no address: pip takes the packages from where
it is told to, and the hashes say whether they are the right ones.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent / "pyproject.toml"
OFFICE = ("pdf", "postgres", "tie-breaks")
#: By file: the extras whose packages are in it beside the default ones and what builds the package.
EXTRAS = {"constraints.txt": OFFICE, "constraints-large.txt": (*OFFICE, "bulk", "lab")}
HEADING = """\
# Every package of an office with the extras {extras}; made by write_constraints.py.
#   pip install --require-hashes -r deploy/{name} && pip install --no-deps --no-build-isolation .
"""


def main() -> None:
    """Resolve anew, keeping the versions of the files as far as they fit, or the newest with --upgrade."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--upgrade", action="store_true", help="take the newest versions")
    is_upgrade = parser.parse_args().upgrade
    for name, extras in EXTRAS.items():
        text = resolve(extras, None if is_upgrade else HERE / name)
        unfinished = HERE / f"{name}.part"
        unfinished.write_text(HEADING.format(extras=", ".join(extras), name=name) + text, "utf-8")
        unfinished.replace(HERE / name)


def resolve(extras: tuple[str, ...], before: Path | None) -> str:
    """The packages with their hashes; of the versions in the file `before` those that still fit."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))
    lowest = re.sub("[^0-9.]", "", project["project"]["requires-python"])
    words = ["uv", "pip", "compile", "-", "--universal", "--python-version", lowest, "--generate-hashes"]
    words += ["--no-emit-index-url", "--no-header", "--no-annotate", "--quiet"]
    if before is not None and before.exists():
        words += ["--constraints", str(before)]
    asked = f".[{','.join(extras)}]\n" + "\n".join(project["build-system"]["requires"])
    done = subprocess.run(words, input=asked, capture_output=True, text=True, cwd=HERE.parent, check=False)
    if done.returncode:
        sys.exit(done.stderr)
    return "".join(line for line in done.stdout.splitlines(keepends=True) if not line.startswith("."))


if __name__ == "__main__":
    main()
