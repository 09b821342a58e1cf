"""What differs between desktops: displays, notifications, and other starts of the program."""
