"""A person is erased: what is personal goes; ids, games and figures stay, and every list verifies."""
