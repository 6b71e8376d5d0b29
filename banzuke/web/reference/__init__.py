"""Pages to read and reckon by: rule books, comparisons, calculators, statistics."""
