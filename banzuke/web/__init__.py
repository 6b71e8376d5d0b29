"""The office's pages."""
