"""The frozen program: three executables in one folder, and all that they need but the system's."""
