"""What every part of the program uses: errors and their words, files, logs, clocks."""
