"""What an outsider needs to check what an office published: trees of hashes, signed checkpoints, proofs.

It knows no office, no database and no network; what it cannot believe it refuses with a `ProofError`.
"""
