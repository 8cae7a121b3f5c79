"""Documents of the second planted corpus: (family, text), where `<<maker>>` stands for an invented secret.

They are in the folder of the same name, a file for a family, divided by lines of `----`. `<<maker:oneline>>` is
a block with its line ends spelled `\\n`, `<<maker:indent>>` one indented by four.
"""

from tests.repository import ROOT

__all__ = ["DOCUMENTS"]

_FAMILIES = ("dotenv", "ci", "infra", "rc", "http", "database", "cloud", "keys", "code", "prose")

DOCUMENTS: tuple[tuple[str, str], ...] = tuple(
    (family, text)
    for family in _FAMILIES
    for text in (ROOT / "tests" / "secrets_documents" / f"{family}.txt")
    .read_text(encoding="utf-8")
    .removesuffix("\n")
    .split("\n----\n")
)
