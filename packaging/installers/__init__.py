"""The installers: what the frozen folder is packed into, for each system.

Each format is a module with one function that takes a `Payload` and writes one file. What is said
of the product (names, words, version) comes from `product`, what a format is made of besides from
the folders `linux`, `windows`, `macos` and `flatpak` beside this one. Only the standard library is
used, so that the system's Python makes installers, too.
"""
