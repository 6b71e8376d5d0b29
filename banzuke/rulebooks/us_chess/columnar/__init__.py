"""The fast twin of US Chess ratings."""
