"""A session as people read it: what is shown (`conversation`, `facts`, `calls`), how it looks (`plain`, `coloured`)."""
