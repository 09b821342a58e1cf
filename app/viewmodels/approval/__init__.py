"""View models of approvals: cards, rules and waiting results. QtCore only."""
