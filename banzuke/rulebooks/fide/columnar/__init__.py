"""The fast twin of FIDE's regulations: batches over columns of integers, equal to the readable book."""
