"""The section of the settings about agents and skills."""
