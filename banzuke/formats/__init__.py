"""Files of other programs: bytes in, a report out; one module a format."""
