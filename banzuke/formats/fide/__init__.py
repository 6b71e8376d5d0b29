"""FIDE's rating lists, as text and as XML, read and written."""
