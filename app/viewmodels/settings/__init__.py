"""View models of the settings and of the first-run page. QtCore only."""
