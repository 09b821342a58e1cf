"""The panel of tools and activity, own tools and tool servers. QtCore only."""
