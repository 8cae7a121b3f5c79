"""Files of GitHub Copilot CLI as typed structs."""
