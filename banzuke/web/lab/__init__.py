"""The laboratory for officers: what other rules would do, what ratings foretell, what cannot be believed."""
