"""The frozen program: three executables in one folder, with all they need but system libraries."""
