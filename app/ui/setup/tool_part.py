"""One tool among the details of where it comes from: its name, what it may do, what it says."""

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QWidget

from app.ui.approval.revealed_text import RevealedText, Setting
from app.ui.parts.flow import Flow
from app.ui.parts.fonts import Weight
from app.ui.parts.labels import one_line, plain_label
from app.ui.parts.stacking import stack
from app.ui.theme import Theme


def tool_part(theme: Theme, name: str, problem: str, description: str, *ends: QWidget) -> QWidget:
    """Make the part; `problem` says why the tool is not offered, `ends` stand beside its name."""
    shown = one_line(name)
    part = QWidget()
    head = QWidget()
    row = Flow(head, spacing_px=6)
    row.setContentsMargins(0, 0, 0, 0)
    row.add(plain_label(shown, theme, weight=Weight.DemiBold, wraps=True), grows=True)
    row.add(*ends)
    column = stack(part, 2, head)
    if problem:
        words = QCoreApplication.translate("ToolPart", "Not offered. {reason}")
        shown_problem = words.format(reason=one_line(problem))
        column.addWidget(plain_label(shown_problem, theme, size="small", ink="warn", wraps=True))
    if description:
        says = QCoreApplication.translate("ToolPart", "What {tool} says it does")
        text = RevealedText(theme, says.format(tool=shown), Setting.PROSE)
        text.show_text(description)
        column.addWidget(text)
    return part
