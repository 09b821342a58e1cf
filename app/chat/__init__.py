"""What a chat is: transcript, turn and session. No Qt, no HTTP library."""
