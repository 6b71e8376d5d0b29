"""An event's crosstable as a file: HTML and XLSX."""
