"""The folder of a new rule book: a package of its own that is installed beside this one."""

import os
import re
import sys
import tomllib
from collections.abc import Mapping
from contextlib import suppress
from errno import EEXIST
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from string import Template
from tempfile import TemporaryDirectory

from banzuke.core.registry import GROUP, BookError, books_of, entry_point_of
from banzuke.core.rulebook import RuleBook

SKELETONS = Path(__file__).parent / "skeletons"
NAME = re.compile("[a-z][a-z0-9]*(-[a-z0-9]+)*")
#: What `banzuke rules` takes for something else than a book.
VERBS = ("diff", "new", "test")


def is_name(name: str) -> bool:
    """Whether a new book may be called so: lower-case words with hyphens, and no package is called so yet."""
    package = name.replace("-", "_")
    if not NAME.fullmatch(name) or name in VERBS or iskeyword(package):
        return False
    return package not in sys.stdlib_module_names and find_spec(package) is None


def books_module(book: RuleBook) -> str | None:
    """The package whose module `books` makes the book of which a successor is made; None: there is none."""
    package = entry_point_of(book.name).module
    with suppress(ModuleNotFoundError):  # a module has no modules within
        if find_spec(f"{package}.books"):
            return package
    return None


def write_book(folder: Path, name: str, like: RuleBook | None = None) -> list[Path]:
    """Write the files of a book into a folder that is not there yet: a small whole book, or a successor.

    A successor begins with the numbers and words of `like`, which must have a `books_module`. Returns the
    files. Raises FileExistsError where there is something of that name, OSError with the file that cannot be
    written; then nothing is there.
    """
    package = name.replace("-", "_")
    facts = {"book": name, "package": package, "prefix": name.partition("-")[0].upper()}
    kind = SKELETONS / ("successor" if like else "whole")
    files = {
        "pyproject.toml": SKELETONS / "pyproject.toml.txt",
        f"{package}/__init__.py": SKELETONS / "init.py.txt",
        f"tests/test_{package}.py": SKELETONS / "test.py.txt",
        "README.md": kind / "README.md.txt",
        f"{package}/books.py": kind / "books.py.txt",
    }
    if like is None:
        files |= {f"{package}/{name}.py": kind / f"{name}.py.txt" for name in ("rules", "sentences")}
        files |= {f"{package}/{package}.{of}.toml": kind / f"{of}.toml.txt" for of in ("parameters", "words")}
    else:
        facts |= {"like": like.name, "series_package": str(books_module(like))}
    texts = {path: _filled(skeleton, facts) for path, skeleton in files.items()}
    if like is not None:
        texts |= _copied(like, package)
    if folder.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(folder))
    with TemporaryDirectory(prefix=".banzuke.", suffix=".part", dir=folder.absolute().parent) as scratch:
        part = Path(scratch, folder.name)
        part.mkdir()
        for path, content in texts.items():
            _write(part / path, content, folder / path)
        part.rename(folder)
    return [folder / path for path in texts]


def _write(file: Path, content: str, target: Path) -> None:
    """Write a file that will be `target`. Raises OSError, which names the target."""
    try:
        file.parent.mkdir(exist_ok=True)
        file.write_text(content, "utf-8")
    except OSError as error:
        error.filename = str(target)  # never that of a part, which nobody asked for
        raise


def _filled(skeleton: Path, facts: Mapping[str, str]) -> str:
    return Template(skeleton.read_text("utf-8")).substitute(facts)


def _copied(like: RuleBook, package: str) -> dict[str, str]:
    """The numbers and words of the predecessor, as the new edition begins with them."""
    numbers = Path(str(like.words)).with_name(f"{like.parameters.source}.parameters.toml")
    return {
        f"{package}/{package}.parameters.toml": numbers.read_text("utf-8"),
        f"{package}/{package}.words.toml": like.words.read_text("utf-8"),
    }


def names_books(folder: Path) -> bool:
    """Whether it is the folder of rule books: its `pyproject.toml` has their entry points."""
    try:
        _ = _points_of(folder)
    except BookError:
        return False
    return True


def books_in(folder: Path) -> tuple[RuleBook, ...]:
    """The books of a folder that is not installed: those of the entry points in its `pyproject.toml`.

    Raises BookError where it has no such table, or a book that lacks something.
    """
    points = _points_of(folder)
    sys.path[:0] = [str(path.resolve()) for path in (folder, folder / "src") if path.is_dir()]
    return tuple(
        book for name, value in points.items() for book in books_of(EntryPoint(name, str(value), GROUP))
    )


def _points_of(folder: Path) -> dict[str, object]:
    """The entry points of rule books in the folder's `pyproject.toml`. Raises BookError."""
    try:
        points = tomllib.loads((folder / "pyproject.toml").read_text("utf-8"))["project"]["entry-points"][
            GROUP
        ]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BookError(f'{folder / "pyproject.toml"}: no [project.entry-points."{GROUP}"]') from error
    if not isinstance(points, dict):
        raise BookError(f'{folder / "pyproject.toml"}: [project.entry-points."{GROUP}"] is no table')
    return points
