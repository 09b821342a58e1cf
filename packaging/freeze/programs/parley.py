"""The window, as an executable."""

import sys

from app.main import main

sys.exit(main())
