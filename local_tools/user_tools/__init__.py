"""The user's own tools: folders with a manifest, pinned by the hashes of their files."""
