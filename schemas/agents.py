"""The table of agents: names, stores, default places, and which modules read and write them.

It is data. Everything that depends on the agent (choices of a command, which module to load, where to look, what a
reader can give) is taken from here, so no other module asks which agent it has before it. Modules are named as text
and imported at first use. The order is the order of reports.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from panscript.schemas.errors import UnknownAgent

__all__ = ["AGENTS", "KINDS", "Agent", "Kind", "Location", "Storage", "agent", "agent_ids"]

Storage = Literal["jsonl", "json", "sqlite", "zstd", "protobuf", "otel"]
Kind = Literal["usage", "message", "tool_call", "session_meta"]

KINDS: tuple[Kind, ...] = ("usage", "message", "tool_call", "session_meta")


class Location(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One place where an agent keeps sessions: `path` below `base`, or below what `variable` says instead of `base`."""

    variable: str | None = None
    """Environment variable that replaces `base`; blank counts as not set."""
    base: str | None = None
    """Folder below the home folder; None where there is nothing without the variable."""
    path: str = ""
    """Folder or file below `base`; empty when `base` or the variable names it itself."""
    is_list: bool = False
    """The variable holds several folders, separated by commas."""
    note: str = ""
    """What a person should know about it."""

    @property
    def default(self) -> str | None:
        """The place below the home folder when the variable is not set."""
        return None if self.base is None else "/".join(part for part in (self.base, self.path) if part)

    def places(self, home: Path, variables: Mapping[str, str]) -> tuple[Path, ...]:
        """Where this is for a person with this home folder and these variables; whether it exists is not looked at."""
        value = variables.get(self.variable, "").strip() if self.variable else ""
        if value:
            named = [part.strip() for part in value.split(",")] if self.is_list else [value]
            roots = [_below_home(part, home) for part in named if part]
        else:
            roots = [] if self.base is None else [home / self.base]
        return tuple(root / self.path for root in roots)


class Agent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One agent as the library knows it."""

    id: str
    """Its one name in modules, options and reports."""
    name: str
    """Its name for a person."""
    vendor: str
    """Provider of an answer when neither the log nor the model's name tells; never put into a usage event."""
    storage: tuple[Storage, ...]
    """How its sessions are stored, the present form first."""
    locations: tuple[Location, ...]
    """Where they lie; all of them are looked at."""
    reader: str | None = None
    """Module that reads it; None while there is none."""
    writer: str | None = None
    """Module that writes it; None while there is none."""
    kinds: tuple[Kind, ...] = ()
    """Kinds of events its reader can give."""
    sign: bytes = b""
    """Regular expression that fits somewhere in the first bytes of each of its text files; empty where none does. A
    reader is not imported to be asked about a file without its sign."""
    family: str = ""
    """Agent id whose modules it shares; its own where it shares none."""
    parser_version: int = 1
    """Raised whenever the same file gives other events than before."""
    response_ids: bool = False
    """Ids of its responses and records are unique in the world: they tell which sessions hold copies of others."""
    copies_files: bool = False
    """A fork begins with its parent's records under an id of its own: equal records of two sessions are copies."""
    relabels: bool = False
    """What a fork copied is told under its parent's id where the parent itself is not read."""

    def __post_init__(self) -> None:
        if not self.family:
            msgspec.structs.force_setattr(self, "family", self.id)


def agent(agent_id: str) -> Agent:
    """Give the agent of this id; raises `UnknownAgent`, whose hint names the ids there are."""
    try:
        return _BY_ID[agent_id]
    except KeyError:
        raise UnknownAgent(f"no agent is called {agent_id!r}", hint=f"known: {', '.join(_BY_ID)}") from None


def agent_ids() -> tuple[str, ...]:
    """Give all agent ids in the order of the table."""
    return tuple(_BY_ID)


def _below_home(value: str, home: Path) -> Path:
    if value == "~" or value.startswith("~/"):
        return home / value[2:]
    return Path(value)


_ARRAY = rb"\A[\0\xef\xbb\xbf\s]*\["
"""The file is one array."""
_APPLICATION_SUPPORT = "Library/Application Support"
_ROAMING = "AppData/Roaming"
_EDITORS = ("Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf")


def _data(path: str, note: str = "") -> Location:
    return Location(variable="XDG_DATA_HOME", base=".local/share", path=path, note=note)


def _roaming(path: str) -> Location:
    return Location(variable="APPDATA", base=_ROAMING, path=path, note="Windows")


def _editor_storage(folder: str) -> tuple[Location, ...]:
    """A folder of an editor extension, in every editor that runs such extensions, on every system."""
    below = f"User/globalStorage/{folder}"
    return (
        *(Location(base=f".config/{editor}", path=below, note=f"{editor}, Linux") for editor in _EDITORS),
        *(
            Location(base=f"{_APPLICATION_SUPPORT}/{editor}", path=below, note=f"{editor}, macOS")
            for editor in _EDITORS
        ),
        *(
            Location(variable="APPDATA", base=_ROAMING, path=f"{editor}/{below}", note=f"{editor}, Windows")
            for editor in _EDITORS
        ),
        Location(base=".vscode-server/data", path=below, note="remote editor"),
    )


AGENTS: tuple[Agent, ...] = (
    Agent(
        id="pi",
        name="Pi",
        vendor="pi",
        storage=("jsonl",),
        locations=(
            Location(variable="PI_CODING_AGENT_DIR", base=".pi/agent", path="sessions"),
            Location(variable="PI_CODING_AGENT_SESSION_DIR", note="one folder for all projects"),
            Location(base=".omp/agent", path="sessions", note="omp, a fork"),
            Location(base=".omp/profiles", note="omp, profiles"),
            _data("omp/sessions", "omp, where this folder exists"),
        ),
        reader="panscript.readers.pi",
        writer="panscript.writers.pi",
        kinds=KINDS,
        relabels=True,
    ),
    Agent(
        id="codex",
        name="Codex",
        vendor="openai",
        storage=("jsonl", "zstd"),
        locations=(
            Location(variable="CODEX_HOME", base=".codex", path="sessions"),
            Location(variable="CODEX_HOME", base=".codex", path="archived_sessions", note="archived threads"),
        ),
        reader="panscript.readers.codex",
        writer="panscript.writers.codex",
        kinds=KINDS,
    ),
    Agent(
        id="gemini",
        name="Gemini CLI",
        vendor="google",
        storage=("jsonl", "json"),
        locations=(
            Location(variable="GEMINI_CLI_HOME", base="", path=".gemini/tmp", note="the variable replaces the home"),
            Location(
                variable="GEMINI_CLI_HOME", base=".gemini", path="tmp", note="the variable names the folder itself"
            ),
        ),
        reader="panscript.readers.gemini",
        sign=rb'"(?:projectHash|\$set|\$rewindTo|parts)"|\{\s*"role"|"timestamp"\s*:\s*"[^"]*"\s*,\s*"type"',
        kinds=KINDS,
    ),
    Agent(
        id="droid",
        name="Droid",
        vendor="factory",
        storage=("jsonl", "json"),
        locations=(
            Location(
                variable="FACTORY_HOME_OVERRIDE",
                base="",
                path=".factory/sessions",
                note="the variable replaces the home",
            ),
        ),
        reader="panscript.readers.droid",
        sign=rb'session_start|"(?:todo_state|agent_turn_outcome|compaction_state|tokenUsage)"|"type"\s*:\s*"message"',
        kinds=KINDS,
    ),
    Agent(
        id="opencode",
        name="OpenCode",
        vendor="opencode",
        storage=("sqlite", "json"),
        locations=(
            _data("opencode", "database, and the older tree of JSON files"),
            Location(variable="OPENCODE_DB", note="the database itself"),
            Location(base=".opencode"),
            Location(base=_APPLICATION_SUPPORT, path="opencode", note="macOS"),
            _roaming("opencode"),
        ),
        reader="panscript.readers.opencode",
        sign=rb'"ses_',
        kinds=KINDS,
    ),
    Agent(
        id="openclaw",
        name="OpenClaw",
        vendor="openclaw",
        storage=("sqlite", "jsonl", "zstd"),
        locations=(
            Location(variable="OPENCLAW_STATE_DIR", base=".openclaw", path="agents"),
            Location(variable="OPENCLAW_HOME", path="agents"),
            Location(base=".clawdbot", path="agents", note="earlier name"),
            Location(base=".moltbot", path="agents", note="earlier name"),
            Location(base=".moldbot", path="agents", note="earlier name"),
        ),
        reader="panscript.readers.openclaw",
        kinds=KINDS,
        family="pi",
        relabels=True,
    ),
    Agent(
        id="claude",
        name="Claude Code",
        vendor="anthropic",
        storage=("jsonl",),
        locations=(
            Location(variable="CLAUDE_CONFIG_DIR", base=".claude", path="projects", is_list=True),
            Location(variable="CLAUDE_CONFIG_DIR", base=".claude", path="transcripts", is_list=True, note="older"),
            Location(
                variable="CLAUDE_CONFIG_DIR",
                base=".config/claude",
                path="projects",
                is_list=True,
                note="some 1.0 versions",
            ),
        ),
        reader="panscript.readers.claude",
        writer="panscript.writers.claude",
        response_ids=True,
        kinds=KINDS,
    ),
    Agent(
        id="copilot",
        name="Copilot CLI",
        vendor="github",
        storage=("otel", "jsonl"),
        locations=(
            Location(base=".copilot", path="otel", note="only when telemetry was turned on"),
            Location(variable="COPILOT_OTEL_FILE_EXPORTER_PATH", note="one file"),
            Location(base=".copilot", path="session-state", note="the conversations"),
        ),
        reader="panscript.readers.copilot",
        sign=rb'"(?:data|dataPoints|attributes)"|"gen_ai\.',
        kinds=KINDS,
    ),
    Agent(
        id="goose",
        name="Goose",
        vendor="goose",
        storage=("sqlite", "jsonl"),
        locations=(
            Location(variable="GOOSE_PATH_ROOT", path="data/sessions"),
            _data("goose/sessions"),
            Location(base=_APPLICATION_SUPPORT, path="Block/goose/sessions", note="macOS"),
            _roaming("Block/goose/data/sessions"),
        ),
        reader="panscript.readers.goose",
        sign=rb'"working_dir"|"created"',
        kinds=KINDS,
    ),
    Agent(
        id="amp",
        name="Amp",
        vendor="amp",
        storage=("json",),
        locations=(_data("amp/threads"), *_editor_storage("sourcegraph.amp/threads3")),
        reader="panscript.readers.amp",
        sign=rb'"T-|toolUseID|nextMessageId',
        kinds=KINDS,
    ),
    Agent(
        id="qwen",
        name="Qwen Code",
        vendor="qwen",
        storage=("jsonl", "json"),
        locations=(
            Location(variable="QWEN_HOME", base=".qwen", path="projects"),
            Location(variable="QWEN_RUNTIME_DIR", path="projects"),
            Location(variable="QWEN_HOME", base=".qwen", path="tmp", note="2025, laid out as Gemini CLI does"),
        ),
        reader="panscript.readers.qwen",
        copies_files=True,
        sign=rb'"(?:projectHash|parts|systemPayload|usageMetadata|provenance|toolCallResult)"|\{\s*"role"',
        kinds=KINDS,
    ),
    Agent(
        id="kimi",
        name="Kimi",
        vendor="moonshot",
        storage=("jsonl",),
        locations=(
            Location(variable="KIMI_SHARE_DIR", base=".kimi", path="sessions", note="Kimi CLI"),
            Location(variable="KIMI_CODE_HOME", base=".kimi-code", path="sessions", note="Kimi Code"),
        ),
        reader="panscript.readers.kimi",
        copies_files=True,
        kinds=KINDS,
    ),
    Agent(
        id="cline",
        name="Cline",
        vendor="cline",
        storage=("json",),
        locations=(
            *_editor_storage("saoudrizwan.claude-dev/tasks"),
            Location(variable="CLINE_DIR", base=".cline", path="data/sessions", note="since summer 2026"),
            Location(variable="CLINE_DIR", base=".cline", path="data/tasks", note="2026"),
            Location(variable="CLINE_DATA_DIR", path="sessions", note="since summer 2026"),
            Location(variable="CLINE_DATA_DIR", path="tasks", note="2026"),
        ),
        reader="panscript.readers.cline",
        sign=_ARRAY + rb'|"(?:messages_path|session_id|enable_spawn|workspace_root|agent)"',
        kinds=KINDS,
    ),
    Agent(
        id="roocode",
        name="Roo Code",
        vendor="roocode",
        storage=("json",),
        locations=_editor_storage("rooveterinaryinc.roo-cline/tasks"),
        reader="panscript.readers.roocode",
        sign=_ARRAY,
        kinds=KINDS,
        family="cline",
    ),
    Agent(
        id="kilocode",
        name="Kilo Code",
        vendor="kilocode",
        storage=("json", "sqlite"),
        locations=(
            *_editor_storage("kilocode.kilo-code/tasks"),
            _data("kilo", "version 7, a database as OpenCode's"),
        ),
        reader="panscript.readers.kilocode",
        sign=_ARRAY + rb'|"ses_',
        kinds=KINDS,
        family="cline",
    ),
    Agent(
        id="antigravity",
        name="Antigravity",
        vendor="google",
        storage=("sqlite", "protobuf", "jsonl", "json"),
        locations=(
            Location(variable="GEMINI_CLI_HOME", base=".gemini", path="antigravity-cli/conversations"),
            Location(variable="GEMINI_CLI_HOME", base=".gemini", path="antigravity/conversations", note="the editor"),
            Location(variable="GEMINI_CLI_HOME", base=".gemini", path="antigravity-cli/brain", note="logs"),
            Location(variable="GEMINI_CLI_HOME", base=".gemini", path="antigravity/brain", note="logs of the editor"),
        ),
        reader="panscript.readers.antigravity",
        sign=rb'"step_index"|"trajectoryId"',
        kinds=KINDS,
    ),
    Agent(
        id="dsh",
        name="DeepSeek Harness",
        vendor="deepseek",
        storage=("zstd", "jsonl"),
        locations=(Location(variable="DSH_HOME", base=".dsh", path="sessions"),),
        reader="panscript.readers.dsh",
        sign=rb'"(?:createdAt|seq0?)"',
        kinds=KINDS,
        relabels=True,
    ),
)

_BY_ID = {entry.id: entry for entry in AGENTS}
