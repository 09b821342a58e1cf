"""What several services on the same data keep in a Redis that they share."""
