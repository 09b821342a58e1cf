"""The operations of the interface: parse, call, answer."""
