"""The desktop outside our windows: notifications, the tray icon, and host actions of tools."""
