"""Rule books that are not in this project, made and installed as a stranger would, and the ledgers they rate."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

from cli.command_runs import COMMAND, ROOT, Ran

if TYPE_CHECKING:
    from pathlib import Path

if TYPE_CHECKING:
    from pathlib import Path

PAGE = (ROOT / "docs" / "rule-books.md").read_text("utf-8")


def replaced(file: Path, **changes: str) -> None:
    """Change texts of a file, each of which stands there once; `NEW_...` gives what `OLD_...` becomes."""
    text = file.read_text("utf-8")
    for old in [name for name in changes if name.startswith("old")]:
        assert text.count(changes[old]) == 1, changes[old]
        text = text.replace(changes[old], changes["new" + old[3:]])
    file.write_text(text, "utf-8")


def value(file: Path, name: str, number: int) -> None:
    """Give a number of a `parameters.toml` another value."""
    text, count = re.subn(rf"(\[{name}\]\nvalue = )\d+", rf"\g<1>{number}", file.read_text("utf-8"))
    assert count == 1
    file.write_text(text, "utf-8")


def run(*words: object, cwd: Path, **variables: str) -> Ran:
    """The command in a process of its own, in five minutes at most: a twin may have to be compiled."""
    done = subprocess.run(
        [*COMMAND, *map(str, words)],
        cwd=cwd,
        env=office_environment() | variables,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=300,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def office_environment() -> dict[str, str]:
    """The variables of this process without those that tests set for an office or a language of their own."""
    left_out = ("DJANGO_SETTINGS_MODULE", "LC_ALL", "LANG", "BANZUKE_LANG")
    return {name: value for name, value in os.environ.items() if name not in left_out}


def begun(folder: Path, name: str, *like: str) -> Path:
    """The folder that `banzuke rules new` writes."""
    made = run("rules", "new", name, *like, cwd=folder, PYTHONPATH=str(ROOT))
    assert made.status == 0, made.err
    return folder / name


def jcf_2026(folder: Path) -> Path:
    """A successor edition: K 32 of the new, a floor of 1100, a window that closes on the 15th."""
    made = begun(folder, "jcf-2026", "--like", "jcf-2024")
    numbers = made / "jcf_2026/jcf_2026.parameters.toml"
    for name, number in (("k_new", 32), ("floor", 1100), ("window_closes", 15)):
        value(numbers, name, number)
    return made


def sundays(folder: Path) -> Path:
    """A book whose lists appear every Sunday, by the calendar that docs/rule-books.md prints."""
    made = begun(folder, "sundays-2026")
    (calendar,) = (
        code for code in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "class Sundays" in code
    )
    package = made / "sundays_2026"
    (package / "calendar.py").write_text(f'"""Sundays."""\n\n{calendar}', "utf-8")
    replaced(
        package / "rules.py",
        old1="from banzuke.core.calendar import ByReport\n", new1="",
        old2="from banzuke.core.rounding import rounded\n",
        new2="from banzuke.core.rounding import rounded\nfrom sundays_2026.calendar import Sundays\n",
        old3="CALENDAR = ByReport(WINDOW_CLOSES, correction_days=None)", new3="CALENDAR = Sundays()",
        old4="(ByReport.window_on, ByReport.window_named, rate)", new4="(Sundays.window_on, Sundays.window_named, rate)",
        old5='WINDOW_CLOSES = _number("window_closes")\n', new5="",
    )  # fmt: skip
    numbers = package / "sundays_2026.parameters.toml"
    numbers.write_text(
        re.sub(r"\[window_closes\].*?\n\n", "", numbers.read_text("utf-8"), flags=re.DOTALL), "utf-8"
    )
    return made


def installed(target: Path, *folders: Path) -> None:
    """Build a wheel of each and install it into a folder of its own, beside what is installed."""
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
    ]
    subprocess.run([*pip, "--target", target, *folders], check=True, capture_output=True, timeout=300)


def environment(target: Path, home: Path | None = None) -> dict[str, str]:
    """What a process needs in order to find these books, and an office."""
    paths = {"PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "tests", target)))}
    return paths if home is None else paths | {"BANZUKE_HOME": str(home), "DATABASE_URL": ""}


def japan_from_2025(folder: Path) -> Path:
    """The Japanese example, which goes over to jcf-2026 in January 2025."""
    shutil.copytree(ROOT / "examples/japan", folder)
    with (folder / "pool.toml").open("a", encoding="utf-8") as pool:
        pool.write('[[edition]]\nrulebook = "jcf-2026"\nfrom = 2025-01-01\n')
    return folder


def weekly_ledger(folder: Path, book: str = "sundays-2026") -> Path:
    """Two rated players and two newcomers in three weeks of 2026; the lists are of 8, 15 and 22 March."""
    folder.mkdir(parents=True)
    tables = {
        "pool.toml": f'name = "Weekly"\n[[edition]]\nrulebook = "{book}"\nfrom = 2026-01-01\n',
        "players.csv": "player_id,name\nP1,SATO Hana\nP2,SUZUKI Ren\nP3,TANAKA Mio\nP4,ITO Sora\n",
        "standings.csv": "player_id,rating,games\nP1,1600,60\nP2,1800,60\n",
        "events.csv": (
            "event_id,name,starts,ends,reported\n"
            "E1,First evening,2026-03-02,2026-03-02,2026-03-03\n"
            "E2,Second evening,2026-03-07,2026-03-07,2026-03-08\n"
            "E3,Third evening,2026-03-16,2026-03-16,2026-03-21\n"
        ),
        "games.csv": (
            "event_id,round,white,black,result\n"
            "E1,1,P1,P2,1-0\nE2,1,P1,P3,1-0\nE2,2,P2,P3,0-1\nE3,1,P2,P1,1/2-1/2\n"
        ),
    }
    for name, text in tables.items():
        (folder / name).write_text(text, "utf-8")
    return folder
