"""A Go server's pool as it stands now: players, the ranking, and the page of who runs the server."""
