"""Reports as they come in: read, looked at, decided on, entered."""
