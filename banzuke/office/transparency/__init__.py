"""What the office can be held to: the bytes of its lists, their trees, its log and its checkpoints."""
