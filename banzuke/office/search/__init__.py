"""Players, events, clubs and lists found by what was typed, in any script and with slips."""
