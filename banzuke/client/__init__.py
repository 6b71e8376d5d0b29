"""What programs beside an office do with it over its API: play a ledger into it, compare, read its feed."""
