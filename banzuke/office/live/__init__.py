"""A Go server's pool as it stands now: every game rated the moment it ends."""
