"""The wire: requests, replies and streamed events of the interface. No Qt."""
