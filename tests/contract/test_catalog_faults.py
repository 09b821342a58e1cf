"""Our app has words for every fault that our service's program finds in a file."""

from app.service.catalog import CatalogFault as Known
from local_server.assistant.front_matter import DefinitionFault as Found


def test_faults_of_files_are_the_same_on_both_sides() -> None:
    assert [fault.value for fault in Known] == [fault.value for fault in Found]
