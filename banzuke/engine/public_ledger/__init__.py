"""The public ledger: a ledger without what is private, from which the same lists are made."""
