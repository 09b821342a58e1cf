"""A person's own tools in words."""

from PySide6.QtCore import QCoreApplication

from app.own_tools.own_tools import OwnSet
from app.viewmodels.states import Dot
from app.viewmodels.tools.own_tool_states import OwnSetRow, OwnToolRow
from local_tools.own.tool_set import ReadTool, wire_name


def row_of(item: OwnSet) -> OwnSetRow:
    """A folder as the settings show it."""
    faults = [found.words for found in item.findings if found.weight == "fault"]
    notes = [found.words for found in item.findings if found.weight == "note"]
    is_usable = item.state != "unusable"
    return OwnSetRow(
        name=item.name,
        title=item.read.manifest.title if item.read else item.name,
        words=_words(item),
        package=item.package,
        is_on=item.state == "on",
        dot={"on": Dot.GOOD, "changed": Dot.WARN, "unusable": Dot.BAD}.get(item.state),
        can_allow=item.state in ("off", "changed"),
        problem="" if is_usable else " ".join(faults[:1]),
        tools=_tools(item),
        findings=tuple(faults + notes),
        shown=item.shown,
        shown_title=_shown_title(item),
        fingerprint=item.fingerprint,
    )


def _words(item: OwnSet) -> str:
    translate = QCoreApplication.translate
    if item.state == "unusable":
        return translate("OwnTools", "cannot be used")
    if item.state == "changed":
        return translate("OwnTools", "off: its files are not what you allowed")
    count = len(item.tools) - len(item.refused)
    if item.state == "on":
        return translate("OwnTools", "on: %n tools", "", count)
    return translate("OwnTools", "off: nothing of it has run")


def _shown_title(item: OwnSet) -> str:
    if item.state == "changed":
        return QCoreApplication.translate("OwnTools", "What changed since you allowed it")
    return QCoreApplication.translate("OwnTools", "All of its files")


def _tools(item: OwnSet) -> tuple[OwnToolRow, ...]:
    if item.read is None:
        return ()
    made = {tool.definition.name: tool.definition for tool in item.tools}
    refused = dict(item.refused)
    rows = []
    for read in item.read.tools:
        name = wire_name(item.read.manifest.name, read.declared.name)
        known = made.get(name)
        said = known.description if known else read.declared.description
        problem = read.problem or refused.get(name, "")
        rows.append(OwnToolRow(name, said, _effect_words(read), problem))
    return tuple(rows)


def _effect_words(read: ReadTool) -> str:
    translate, said = QCoreApplication.translate, read.declared.effects
    if said.network:
        return translate("Approval", "uses the network")
    if said.read_only:
        return translate("Approval", "reads only")
    return translate("Approval", "acts on this computer")
