"""The installation: pools, users, keys, settings, backup."""
