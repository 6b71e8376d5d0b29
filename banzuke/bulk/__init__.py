"""The fast twins of the rule books: whole batches over columns of integers, equal to the readable books."""
