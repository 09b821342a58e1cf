"""The installers: what the frozen folder is packed into, for each system.

Each form is a module that names its file and packs a `Payload` into it; `forms` lists them. What is
said of the product (names, words, version) comes from `product`, what a form is made of besides
from the folders `linux`, `windows`, `macos` and `flatpak` beside this one. Only the standard
library is used, so that the system's Python makes installers, too.
"""
