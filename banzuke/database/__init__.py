"""The append-only book in the database: what was entered by whom and when, and the lists made of it."""
