"""Parquet files of coded columns: the same rows give the same bytes."""
