"""Tables of columns written as CSV or as Parquet: a package that imports nothing else of Banzuke."""
