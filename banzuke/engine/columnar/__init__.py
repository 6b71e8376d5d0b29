"""A ledger rated by the fast twins of its rule books: read as columns, rated, written as the same files."""

import banzuke.columnar  # noqa: F401 - says where compiled loops are kept before any is compiled
