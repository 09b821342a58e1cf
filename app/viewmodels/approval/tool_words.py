"""What a card asks about a tool, and what the tool does, in words for the person who decides."""

from PySide6.QtCore import QCoreApplication

from app.viewmodels.marked_words import marked_words
from local_tools.prepare import Fact, PreparedCall
from local_tools.tool import ToolDefinition

_REMARKS = frozenset({"Place", "File", "Network", "Access", "Preview", "If allowed"})


def question_of(call: PreparedCall) -> str:
    """What the card asks."""
    translate = QCoreApplication.translate
    questions = {
        "calculate": translate("Approval", "Work out an expression?"),
        "convert_units": translate("Approval", "Convert units?"),
        "current_time": translate("Approval", "Tell the assistant the time?"),
        "delete_file": translate("Approval", "Put this into the trash?"),
        "edit_file": translate("Approval", "Change a file on this computer?"),
        "fetch_page": translate("Approval", "Fetch a page from the internet?"),
        "list_folder": translate("Approval", "List a folder on this computer?"),
        "move_file": translate("Approval", "Move this on your computer?"),
        "open_file": translate("Approval", "Open this on your screen?"),
        "read_clipboard": translate("Approval", "Let the assistant read your clipboard?"),
        "read_file": translate("Approval", "Read a file on this computer?"),
        "run_command": translate("Approval", "Run a program on this computer?"),
        "run_shell": translate("Approval", "Run this text in a shell on this computer?"),
        "search_files": translate("Approval", "Search files on this computer?"),
        "system_information": translate("Approval", "Tell the assistant what computer this is?"),
        "take_note": translate("Approval", "Add to your notes?"),
        "write_clipboard": translate("Approval", "Replace what is on your clipboard?"),
        "write_file": translate("Approval", "Write a file on this computer?"),
    }
    known = questions.get(call.tool_name) if call.definition.source == "built-in" else None
    if known:
        return known
    if call.definition.runs_in == "elsewhere":
        elsewhere = translate("Approval", "Send this to a server and use “{tool}”?")
        return elsewhere.format(tool=call.title)
    general = translate("Approval", "Use “{tool}” on this computer?")
    return general.format(tool=marked_words("Tools", call.title))


def effect_words(call: PreparedCall) -> str:
    """What the tool may do, in a few words."""
    translate, definition = QCoreApplication.translate, call.definition
    if definition.runs_in == "elsewhere":
        return translate("Approval", "your input leaves this computer")
    if definition.needs_network:
        return translate("Approval", "uses the network")
    if definition.effects.read_only:
        return translate("Approval", "reads only")
    if call.order.commands:
        return translate("Approval", "runs a program")
    if call.order.targets and (definition.is_undoable or definition.effects.destructive):
        return translate("Approval", "changes files")
    return translate("Approval", "acts on this computer")


def source_words(definition: ToolDefinition) -> str:
    """Where a tool comes from."""
    source = definition.source
    if source.startswith("mcp:"):
        words = QCoreApplication.translate("Approval", "from the tool server {server}")
        return words.format(server=source.removeprefix("mcp:"))
    if source.startswith("package:"):
        words = QCoreApplication.translate("Approval", "from an installed package, {name}")
        return words.format(name=source.removeprefix("package:"))
    if source.startswith("folder:"):
        words = QCoreApplication.translate("Approval", "from your tools folder, {name}")
        return words.format(name=source.removeprefix("folder:"))
    return QCoreApplication.translate("Approval", "comes with Parley")


def said_fact(fact: Fact) -> tuple[str, str]:
    """A fact with its label, and what is a remark of ours, in the language of the window."""
    value = marked_words("Tools", fact.value) if fact.label in _REMARKS else fact.value
    return marked_words("Tools", fact.label), value
