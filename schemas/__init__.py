"""Typed records of every agent, the event model, diagnostics, errors and the table of agents."""
