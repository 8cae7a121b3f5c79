"""The kinds of secrets, in the order in which they name what several of them find."""

from panscript.stages.redaction.formats import FORMATS
from panscript.stages.redaction.pairs import PAIRS
from panscript.stages.redaction.places import PLACES, SCHEMES
from panscript.stages.redaction.rule import ESCAPED_LETTER, Rule

__all__ = ["ESCAPED_LETTER", "RULES", "SCHEMES", "Rule"]

RULES: tuple[Rule, ...] = (*FORMATS, *PLACES, *PAIRS)
