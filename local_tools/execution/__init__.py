"""How a call is prepared, run in a worker, and ended with one outcome."""
