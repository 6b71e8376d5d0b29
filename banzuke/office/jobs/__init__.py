"""Acts that take long, done outside the request by a worker."""
