"""Rating lists and rankings as files: CSV, JSON, Parquet, XLSX, PDF."""
