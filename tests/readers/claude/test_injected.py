"""Text that was put into a prompt, and the output of a `!` line, are told apart in time that grows with the text."""

from __future__ import annotations

import pytest

from panscript.readers.claude.injected import injected_by, shell_parts, without_reminders


@pytest.mark.parametrize(
    ("text", "rest", "reminders"),
    [
        ("plain", "plain", []),
        ("a <system-reminder>r</system-reminder>\nb", "a b", ["<system-reminder>r</system-reminder>"]),
        ("<system-reminder>open", "<system-reminder>open", []),
        ("<system-reminder>" * 60_000, "<system-reminder>" * 60_000, []),
    ],
    ids=["none", "one", "open", "many that are open"],
)
def test_reminders_are_taken_out(text: str, rest: str, reminders: list[str]) -> None:
    assert without_reminders(text) == (rest, reminders)


def test_a_text_of_reminders_alone_was_typed_by_nobody() -> None:
    assert injected_by("<system-reminder>r</system-reminder>") == "reminder"
    assert injected_by("<system-reminder>r</system-reminder> and more") is None


@pytest.mark.parametrize(
    ("text", "output"),
    [
        ("<bash-stdout>out</bash-stdout><bash-stderr>err</bash-stderr>", "out\nerr"),
        ("<bash-stdout>out</bash-stdout><bash-stderr></bash-stderr>", "out"),
        ("<bash-stdout>out</bash-stdout>", "out"),
        ("<bash-stderr>err</bash-stderr>", "err"),
        ("<bash-stdout>a</bash-stdout>b</bash-stdout>", "a</bash-stdout>b"),
        ("<bash-stdout>open", "<bash-stdout>open"),
    ],
)
def test_both_streams_of_an_output(text: str, output: str) -> None:
    assert shell_parts(text) == (None, output)


def test_an_output_full_of_tags_is_kept_as_it_stands() -> None:
    text = "<bash-stdout>" + "</bash-stdout><bash-stderr></bash-stderr>" * 20_000 + "x"
    assert shell_parts(text) == (None, text)
