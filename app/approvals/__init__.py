"""Decide which tool calls may run: policy, rules, and the queue of questions. No Qt."""
