"""Which shape a database has, and the way to today's.

The steps are Alembic's operations over a list of modules. Its own runner finds its steps by
looking into a folder of source files, which an installed program need not have; a list is found
wherever the program itself is. The number of the shape stays in the table that the first version
made, so that a version from before these steps refuses a newer database too.
"""

from sqlalchemy import Connection, insert, inspect, select, update

from local_server.store.database import StoreError
from local_server.store.tables import SCHEMA_VERSION, metadata, schema_version


def read_revision(connection: Connection) -> int | None:
    """Read the number of the shape that a database has; None when it is empty."""
    if not inspect(connection).has_table(schema_version.name):
        return None
    revision: int = connection.execute(select(schema_version.c.version)).scalar_one()
    return revision


def bring_up_to_date(connection: Connection) -> None:
    """Give a database today's shape, within the transaction of the connection.

    Raises:
        StoreError: When the database is newer than this program.
    """
    revision = read_revision(connection)
    if revision is None:
        metadata.create_all(connection)
        connection.execute(insert(schema_version).values(version=SCHEMA_VERSION))
    elif revision > SCHEMA_VERSION:
        raise StoreError(
            "The data was written by a newer version of this service "
            f"(its shape has the number {revision}, this one knows {SCHEMA_VERSION}). Update it."
        )
    elif revision < SCHEMA_VERSION:
        _migrate(connection, revision)


def _migrate(connection: Connection, revision: int) -> None:
    from alembic.operations import Operations  # noqa: PLC0415 - heavy
    from alembic.runtime.migration import MigrationContext  # noqa: PLC0415 - heavy

    from local_server.store.migrations.steps import STEPS  # noqa: PLC0415 - heavy

    operations = Operations(MigrationContext.configure(connection))
    for number in range(revision + 1, SCHEMA_VERSION + 1):
        STEPS[number](operations)
        connection.execute(update(schema_version).values(version=number))
