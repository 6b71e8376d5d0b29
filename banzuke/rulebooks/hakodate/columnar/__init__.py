"""The fast twin of Hakodate's rules: batches over columns of integers, equal to the readable book."""
