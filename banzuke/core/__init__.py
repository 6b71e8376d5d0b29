"""The words of the field: facts, ratings, lines, windows, exact rounding. Standard library only."""
