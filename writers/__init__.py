"""One module a target, from events to the bytes it reads."""
