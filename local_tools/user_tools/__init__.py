"""Tools of one's own: folders with a manifest, pinned by their contents."""
