"""FIDE's tournament reports (TRF), read and written."""
