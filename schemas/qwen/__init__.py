"""Qwen Code session files as typed structs."""
