"""The fast twin of the Irish ratings."""
