"""File formats: what is read into reports, and what the office writes."""
