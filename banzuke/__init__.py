"""Banzuke: the rating office in a box."""
