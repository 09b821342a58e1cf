"""What can be seen of the service from outside: its log and its metrics, never what was said."""
