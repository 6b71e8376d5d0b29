"""Chess games in PGN."""
