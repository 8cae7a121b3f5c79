"""Every diagnostic the library can give, in one place: its code, where it is counted, and a sentence.

A diagnostic never stops the work. Its *counter* is the part of the report it stands in; a `lost` code also has a class:
`by_design` (a foreign signature, say) or `content` (text, a call, a picture), which `--strict` refuses.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = ["CODES", "Code", "Counter", "is_content"]

Counter = Literal["skipped", "changed", "lost", "warning"]


class Code(msgspec.Struct, frozen=True):
    """One diagnostic."""

    counter: Counter
    sentence: str
    content: bool = False
    """Counter `lost` only: what was lost is something that was said, done or shown."""


_SKIPPED = {
    "json_parse_error": "A line that could hold usage is not JSON.",
    "other_json_parse_error": "A line that cannot hold usage is not JSON.",
    "undecodable_jsonl_frame": "Compressed data ends or is damaged in the middle; what stands before it was read.",
    "not_an_object": "A line is JSON but no object.",
    "invalid_model_config": "What names the model of a session cannot be read.",
    "invalid_payload": "The payload of a line is missing or no object.",
    "invalid_messages_array": "What should be the messages of a session that is one document is no array.",
    "invalid_messages_data": "A file that should hold an array of messages holds something else.",
    "invalid_message": "An element of the messages of a session is no object.",
    "invalid_session_data": "A session that is one document says nothing that can be understood.",
    "invalid_thread_data": "A thread says nothing that can be understood.",
    "invalid_thread_id": "Neither a thread nor the name of its file says its id.",
    "missing_data_json": "A row of a database holds nothing where its JSON should stand.",
    "invalid_data_json": "A row of a database holds no JSON object where one should stand.",
    "invalid_settings_data": "The settings file that holds a session's token counts is no JSON object.",
    "no_token_usage": "A usage record holds no tokens.",
    "missing_usage_signal": "A usage row of OpenCode holds neither tokens nor a cost.",
    "invalid_timestamp": "A usage record has no time that can be read.",
    "missing_timestamp": "A usage row of OpenCode has no time that can be read.",
    "event_creation_failed": "A usage record names no session.",
    "invalid_assistant_message": "An assistant row that carries usage has no message object.",
    "synthetic_message": "A message was made up by the agent itself, not by a model.",
    "message_invalid_user_message": "A user row has no message object.",
    "message_invalid_assistant_message": "An assistant row has no message object.",
    "message_invalid_message": "A message entry has no message object.",
    "message_invalid_timestamp": "A message has no time, and nothing in its file has one.",
    "session_meta_invalid_timestamp": "Session facts have no time, and nothing in their file has one.",
    "tool_call_invalid_timestamp": "A call has no time, and nothing in its file has one.",
    "tool_call_missing_id": "A call has no id.",
    "tool_call_missing_name": "A call has an id but no name.",
    "tool_call_duplicate_id": "A call has the id of an earlier call.",
    "tool_call_result_missing_id": "A result names no call.",
    "tool_call_orphan_result": "A result answers a call that the session does not hold.",
}

_CHANGED = {
    "bytes_repaired": "Bytes that are not UTF-8 became the replacement character.",
    "surrogates_repaired": "An unpaired half of a surrogate pair became the replacement character.",
    "padding_removed": "NUL bytes or a byte order mark around a record were removed.",
    "number_repaired": "A number that JSON does not know (NaN, infinite) became null.",
    "value_ignored": "A value of a type that the field does not take was left out.",
    "text_as_block": "Bare text in a list of content blocks was read as a block of text.",
    "separators_escaped": "Characters that other programs take for line ends were written as escapes.",
    "line_split": "A line held several complete records; all of them were read.",
    "line_recovered": "A complete record was recovered from a damaged line.",
    "time_carried": "A record without a readable time took its neighbour's.",
    "time_moved": "A time that was missing, equal or running backwards was moved by the least.",
    "time_outlier": "A time later than most that follow was itself moved.",
    "response_closed_early": "A response stayed open for too long and was closed before its last record.",
    "parts_merged": "The records of one response became one message.",
    "call_id_cleaned": "A call id was changed to what every provider takes.",
    "tool_name_cleaned": "A tool name was changed to what every provider takes.",
    "tool_name_missing": "A call without a name was given one.",
    "arguments_wrapped": "Arguments that are no JSON object were put under one key.",
    "result_supplied": "A call without a result was given one that says so.",
    "result_as_text": "A result without a call became readable text.",
    "result_merged": "A second result for one call was joined to the first.",
    "results_moved": "Results were moved to stand directly after their calls.",
    "empty_text_replaced": "An empty result became a placeholder text.",
    "context_recorded": "Text that the agent injected went into the import record, not into the chat.",
    "compaction_folded": "What a compaction kept in scattered places was written into its summary.",
    "compaction_kept_nothing": "What a compaction kept could not be placed; nothing before it is kept.",
    "compaction_kept_less": "What a compaction kept was too large to be written twice; the end of it was.",
    "stop_reason_mapped": "A stop reason that the target must not see became `stop` or `toolUse`.",
    "model_replaced": "A message that names no model took the session's last one.",
    "provider_replaced": "A message that names no provider took one from its model's name or its agent.",
    "summary_recorded": "A summary that belongs to another file went into the import record.",
    "call_as_text": "A call in a message that cannot ask for tools became text.",
    "file_as_text": "A document that the target cannot hold became text.",
    "thinking_recorded": "Thinking that no answer followed went into the import record.",
    "thinking_unsigned": "Thinking was kept without its signature.",
}

_LOST_BY_DESIGN = {
    "signature_dropped": "A signature or encrypted reasoning that only its vendor can use.",
    "redacted_thinking": "Thinking that the vendor withheld.",
    "empty_message": "A message with neither text nor a call.",
    "empty_block": "A text block with nothing in it.",
    "failed_response": "A response that failed or was aborted before it said anything.",
    "agent_notice": "A message that the agent made up itself, such as an API error.",
    "branch": "An event on a branch that was not live at the end.",
    "subagent": "A sub-agent's session that was asked to be left out, or stands inside its parent's file.",
    "subagent_left_out": "A sub-agent's session that has no place in one output file.",
    "agent_state": "A state row of the agent.",
    "tool_details": "An agent's own structured copy of a tool result.",
    "usage_record": "A usage record that belongs to no message.",
    "live_tail": "The end of a session that still goes on, left out as asked.",
}

_LOST_CONTENT = {
    "image_missing": "A picture that is not in the session.",
    "image_remote": "A picture that is only a link.",
    "image_too_large": "A picture larger than providers take.",
    "image_broken": "A picture whose data is damaged.",
    "file_missing": "A document or recording that the target cannot hold.",
    "opaque": "A record, block or item of a type that is not known.",
    "unverifiable_line": "A line that cannot be parsed, so it cannot be called free of secrets.",
    "damaged_line": "A line of the source that could not be read.",
}

_WARNINGS = {
    "cwd_missing": "The project folder of the session is not on this machine.",
    "context_large": "The session is larger than common context windows; the target may compact it at once.",
    "header_missing": "The file has no readable header; id and time come from its name.",
    "base_missing": "A file that the session builds on is missing.",
    "parent_missing": "A parent record is missing; the record was joined to the one before it.",
    "id_repeated": "Records share an id; the later ones were given another.",
    "cycle": "Records name each other as parents; the circle was cut.",
    "partly_read": "Lines were given up; the session is not complete.",
    "unknown_types": "Types that are not known were kept as they are.",
    "file_changed": "The file changed while it was read.",
    "nothing_on_branch": "The live branch is empty.",
    "unchanged": "The session was imported before and says the same now.",
    "appended": "The session was imported before; what came since was added to the import.",
    "imported_again": "The session was imported before; it had to be imported once more.",
    "cursor_restarted": "A cursor did not fit, so everything was read again.",
    "records_unused": "Records that an import carried along could not be used; the session was converted instead.",
    "not_read": "A file or folder that was found could not be read, or nothing in it was understood.",
}

CODES: dict[str, Code] = {
    **{code: Code("skipped", sentence) for code, sentence in _SKIPPED.items()},
    **{code: Code("changed", sentence) for code, sentence in _CHANGED.items()},
    **{code: Code("lost", sentence) for code, sentence in _LOST_BY_DESIGN.items()},
    **{code: Code("lost", sentence, content=True) for code, sentence in _LOST_CONTENT.items()},
    **{code: Code("warning", sentence) for code, sentence in _WARNINGS.items()},
}


def is_content(code: str) -> bool:
    """Whether a `lost` code means that something said, done or shown is gone. Unknown codes count as content."""
    found = CODES.get(code)
    return found is None or found.content
