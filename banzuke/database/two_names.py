"""What has a name in two languages is called by the one of whoever reads."""

from typing import Any

from django.utils.translation import get_language


def name_here(name: str | None, name_native: str | None) -> str:
    """The name in the language in force (Django's), else the other one."""
    is_japanese = (get_language() or "").startswith("ja")
    first, other = (name_native, name) if is_japanese else (name, name_native)
    return first or other or ""


def names_here(rows: Any, key: str) -> dict[str, str]:
    """The names of rows (of a query) in the language in force, by one of their columns."""
    return {of: name_here(name, native) for of, name, native in rows.values_list(key, "name", "name_native")}
