"""The fast twins of NCS and JCF: batches over columns of integers, equal to the readable books."""
