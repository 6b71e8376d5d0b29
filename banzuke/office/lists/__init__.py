"""Lists: made from the book, rehearsed, published, verified, corrected."""
