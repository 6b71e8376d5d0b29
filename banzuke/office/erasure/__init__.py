"""A person is erased: names and all that is personal go; ids, games and figures stay, and every list verifies."""
