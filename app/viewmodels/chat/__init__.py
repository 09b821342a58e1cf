"""The open chat: transcript, composer, agents and skills. QtCore only."""
