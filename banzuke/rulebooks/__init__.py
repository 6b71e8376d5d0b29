"""The rule books, a folder for each family of editions; `core.registry` finds them by their entry points."""
