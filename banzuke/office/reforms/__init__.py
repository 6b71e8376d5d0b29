"""Reforms: drafted, rehearsed, decided on, signed by a second officer, announced, and brought into force."""
