"""Objections: "this is wrong", said without an account, on its way through the office, and in numbers."""
