"""Functions from events to events: redaction, branch choice, pairing, projections."""
