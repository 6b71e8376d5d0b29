"""Games of Go in SGF, and the table beside them."""
