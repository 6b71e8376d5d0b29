"""The fast twin of the Hakodate Chess Club's rules: batches over columns of integers, equal to the readable book."""
