"""The installers: what the frozen folder is packed into, for each system.

Each form is a module that names its file and packs a `Payload` into it; `forms` lists them. The
product's names, texts and version come from `product`; templates and scripts are in the folders
`linux`, `windows`, `macos` and `flatpak` beside this one. Only the standard library is used, so
that the system's Python can make installers.
"""
