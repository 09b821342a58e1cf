"""View models of the right panel: tools and activity. QtCore only."""
