"""Reading files that users attach: each kind by its library, in a worker, within bounds."""
