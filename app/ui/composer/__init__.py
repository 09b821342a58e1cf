"""The composer: the text box for messages, and the chips and buttons around it."""
