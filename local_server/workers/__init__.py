"""Several processes that answer at one address, kept running by one that answers nothing."""
