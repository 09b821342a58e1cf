"""What widgets are made of: text, icons, buttons, surfaces, in colours of the theme."""
