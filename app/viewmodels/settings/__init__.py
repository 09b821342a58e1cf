"""What the settings and the first run show and change. QtCore only."""
