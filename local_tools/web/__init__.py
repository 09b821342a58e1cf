"""Fetch web pages and make readable text of them."""
