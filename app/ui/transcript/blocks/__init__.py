"""The blocks that a reply is painted in, and the text in them."""
