"""Members, clubs, events applied for, and what is taken out of the register."""
