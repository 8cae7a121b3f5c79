"""Nothing is lost in silence: whatever target a session is written for, every item is kept or lost under a code."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from panscript.schemas.diagnostics import CODES
from panscript.schemas.events import Event
from panscript.writers.targets import targets, writer
from tests.strategies import sessions
from tests.writers.accounting import check, odd_sessions
from tests.writers.round_trip import TARGETS, Target

each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)


def test_every_target_is_looked_at() -> None:
    assert TARGETS.keys() == set(targets())


@each_target
@given(events=sessions(), every=st.booleans())
def test_every_item_of_a_session_is_kept_or_lost(target: Target, events: list[Event], every: bool) -> None:
    check(events, target, all_branches=every)


@each_target
@given(events=odd_sessions(), every=st.booleans())
def test_so_is_what_targets_cannot_hold(target: Target, events: list[Event], every: bool) -> None:
    check(events, target, all_branches=every)


@each_target
def test_what_a_target_loses_has_a_sentence_and_is_never_what_was_said_or_done(target: Target) -> None:
    losses = writer(target.agent).LOSSES
    for code in losses:
        assert CODES[code].counter == "lost"
        assert CODES[code].sentence
    assert all(reason.endswith(".") for reason in losses.values())
    content = {code for code in losses if CODES[code].content}
    assert content <= {"image_missing", "image_remote", "image_too_large", "image_broken", "file_missing", "opaque"}
    assert not {"text", "thinking", "tool_call", "arguments", "tool_result", "error"} & losses.keys()
