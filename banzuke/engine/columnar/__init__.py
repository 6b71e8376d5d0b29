"""A ledger rated by the fast twins of its rule books: read as columns, rated, written as the same files."""
