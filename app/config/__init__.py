"""The settings file and the keyring."""
