"""Several services on the same data: PostgreSQL, Redis, and metrics for Prometheus.

Nothing else imports the packages of the extra `cluster`, and only `local_server.commands`, which
reads the options, imports this package.
"""
