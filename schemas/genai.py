"""Content of Google's GenAI interface, as agents that grew out of Gemini CLI log it: `{role, parts: [...]}`.

Wire names are in camel case. Every field has a default: what a part is shows in which of its fields is there.
"""

from __future__ import annotations

import msgspec

__all__ = ["Blob", "Content", "FileData", "FunctionCall", "FunctionResponse", "Part", "PartList"]


class _Camel(msgspec.Struct, gc=False, rename="camel", omit_defaults=True, kw_only=True):
    """Names are in camel case."""


class Blob(_Camel):
    """Bytes that stand in the session: a picture, a document, a recording."""

    mime_type: str | None = None
    data: str | None = None
    """Base64."""
    display_name: str | None = None


class FileData(_Camel):
    """A file that lies at the vendor or on the net."""

    mime_type: str | None = None
    file_uri: str | None = None
    display_name: str | None = None


class FunctionCall(_Camel):
    """A call that the model asked for."""

    id: str | None = None
    name: str | None = None
    args: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """A JSON object."""


class FunctionResponse(_Camel):
    """What a call gave."""

    id: str | None = None
    """Id of the call."""
    name: str | None = None
    response: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """Mostly `{"output": text}`, and `{"error": text}` where the call failed."""
    parts: list[Part] | None = None
    """Pictures and documents that belong to the result."""


class Part(_Camel):
    """One piece of a content; one of its fields says which kind it is."""

    text: str | None = None
    thought: bool | None = None
    """`text` is reasoning."""
    thought_signature: str | None = None
    """Proof of the vendor; it may stand on any kind of part."""
    function_call: FunctionCall | None = None
    function_response: FunctionResponse | None = None
    inline_data: Blob | None = None
    file_data: FileData | None = None
    executable_code: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """`{language, code}` that the vendor ran itself."""
    code_execution_result: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """`{outcome, output}` of that code."""
    video_metadata: msgspec.Raw = msgspec.field(default_factory=msgspec.Raw)
    """Which piece of a video `inline_data` or `file_data` means."""


PartList = str | Part | list[str | Part] | None
"""A text, one part, or several of both."""


class Content(_Camel):
    """What one side said."""

    role: str | None = None
    """`user` or `model`; results of calls come from `user`."""
    parts: list[Part] | None = None
