"""Writers: from events to another agent's bytes; what the target cannot hold is counted as lost."""

from panscript.writers.options import WriteOptions
from panscript.writers.targets import write, writer

__all__ = ["WriteOptions", "write", "writer"]
