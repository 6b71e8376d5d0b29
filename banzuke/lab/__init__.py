"""The laboratory: what other rules would do, how well ratings predict, what cannot be believed."""

from importlib.util import find_spec

#: What the laboratory stands on: the packages of the extra `lab` by the names under which they are imported.
PARTS = ("numpy", "numba", "pyarrow", "scipy", "whr")


def is_installed() -> bool:
    """Whether the extra `lab` is there."""
    return all(find_spec(part) is not None for part in PARTS)
