"""One module an agent, from the bytes it wrote to records with events."""
