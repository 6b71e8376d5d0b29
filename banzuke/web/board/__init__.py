"""The window board: rehearsing, publishing, inquiries and corrections."""
