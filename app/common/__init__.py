"""What all layers use: errors and their messages, logs, clocks, observers."""
