"""View models: Qt models, signals, and the tasks that they own. QtCore only."""
