"""The append-only book: ledger folders, read and written; the only readers and writers of them."""
