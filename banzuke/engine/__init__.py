"""A ledger rated: its history as the fold of the rule books over its batches, and the result files."""
