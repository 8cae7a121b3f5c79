"""Redaction: secrets out of every string, each replaced by a mark that stays the same throughout a session."""

from panscript.stages.redaction.engine import Redactor
from panscript.stages.redaction.rules import RULES, Rule

__all__ = ["RULES", "Redactor", "Rule"]
