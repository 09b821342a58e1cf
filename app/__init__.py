"""The desktop program: sidebar, transcript, composer, approvals, and what they need."""
