"""Reports as they come in: received, reviewed, decided on, entered."""
