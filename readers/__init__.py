"""Readers: from the bytes an agent wrote to its records and the events they say."""

from panscript.readers.opening import detect, open_source, read, read_events
from panscript.readers.options import ReadOptions

__all__ = ["ReadOptions", "detect", "open_source", "read", "read_events"]
