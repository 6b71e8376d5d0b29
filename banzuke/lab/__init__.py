"""The laboratory: what other rules would do, how well ratings predict, what cannot be believed."""
