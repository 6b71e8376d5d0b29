"""Members, clubs, memberships, events applied for, lists of who qualifies."""
