"""The model in the box: llama.cpp's server as a process of its own, with a model file."""
