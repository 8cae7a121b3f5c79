"""Logs of the DeepSeek Harness as typed structs."""
