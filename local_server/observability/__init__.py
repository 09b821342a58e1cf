"""The service's log and metrics, neither of which contains words of conversations."""
