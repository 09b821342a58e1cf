"""Export and import in the window: web pages and paper, and where people ask for them."""
