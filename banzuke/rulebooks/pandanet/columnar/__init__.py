"""The fast twin of Pandanet's rules: batches over columns of integers, equal to the readable book."""
