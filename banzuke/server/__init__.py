"""The office as a Django project: its settings and where it keeps its data."""
