"""The command lines of `parley-server skills`."""

from local_server.commands.catalog_options import make_catalog_app

skills_app = make_catalog_app("skills", "List a project’s skills, enable and disable them.")
