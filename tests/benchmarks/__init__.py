"""What the goals of speed are measured with; run by `dev.py bench`, not by pytest."""
