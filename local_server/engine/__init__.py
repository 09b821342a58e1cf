"""Run model files by llama.cpp's server, as a process of its own."""
