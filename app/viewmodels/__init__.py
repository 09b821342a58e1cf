"""State for the window: Qt models, signals and owned tasks. QtCore only."""
