"""What may run: the request a person decides on, and the queue of those decisions. No Qt."""
