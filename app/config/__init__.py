"""What the user chose, as files and in the keyring."""
