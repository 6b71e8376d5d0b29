"""A Go server's pool as it stands now: games sent, terms asked, the feed of what was rated."""
