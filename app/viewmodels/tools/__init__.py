"""The panel of tools and activity. QtCore only."""
