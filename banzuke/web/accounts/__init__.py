"""Signing in, users and their roles, keys, the journal, settings of the installation."""
