"""Web pages, fetched and made readable."""
