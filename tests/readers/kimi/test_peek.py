"""What a list says of a large session of Kimi CLI or Kimi Code is what reading all of it says."""

from __future__ import annotations

import pytest

from panscript.readers.context import Context
from panscript.readers.discovery import discover, family
from panscript.readers.peek import Peeker
from panscript.schemas.records import Source
from tests.sessions import FIXTURES

HOMES = [FIXTURES / "kimi/home", FIXTURES / "usage-home"]
SOURCES = [each for home in HOMES for found in discover(Context.at(home), ["kimi"]) for each in family(found)]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.id[-8:])
def test_both_ends_tell_what_the_whole_tells(source: Source) -> None:
    assert Peeker(whole=0)(source) == Peeker()(source)
