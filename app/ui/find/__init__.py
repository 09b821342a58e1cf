"""Finding in the open chat: the bar above the transcript."""
