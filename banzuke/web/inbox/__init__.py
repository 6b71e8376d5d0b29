"""Reports: sending them, looking at them, deciding who is who, accepting them."""
