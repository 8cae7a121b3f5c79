"""Every row of the table "there and here" in the README holds."""

from __future__ import annotations

import pytest

from tests.library import ROWS, found


@pytest.mark.parametrize("name", [name for _, name, _ in ROWS])
def test_what_the_table_names_is_there_and_documented(name: str) -> None:
    value = found(name)
    if not isinstance(value, str | int | tuple):
        assert value.__doc__
