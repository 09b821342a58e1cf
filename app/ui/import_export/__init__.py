"""Export and import in the window: the writers of web pages and PDF, and the dialogs."""
