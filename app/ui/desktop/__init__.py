"""What of Parley is on the desktop beside its windows: notices, and the icon in the tray."""
