"""Large sessions of the agents other than Claude Code and Codex, each in the form in which its agent keeps them today.

A session is one of `fixtures/`, repeated with fresh ids and times and with texts of the length that those of the other
corpora have (varied.py). So the rows are as the agent wrote them; what is in no fixture is written by hand: a task of
Roo Code (as Cline's, without what only Cline notes) and Antigravity's database. Every session lies in a home folder of
its own, and it is known how many messages, calls and results are in it.

`python benchmarks/corpus_others.py` writes them below `benchmarks/.cache/others/` and says what they are.
"""

import argparse
import hashlib
import io
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import zstandard
from corpus import CACHE, HERE, SEED
from corpus_antigravity import write_antigravity
from measure import ROOT, default_command
from texts import Texts
from varied import Row, Varied

__all__ = ["MAKERS", "Session", "write"]

FIXTURES = HERE.parent / "fixtures"
SIZES = {"amp": 15 * 10**6, "cline": 15 * 10**6, "roocode": 15 * 10**6}
SIZE = 30 * 10**6
"""Bytes of a session, but of documents, which are held in memory."""
TASKS = ".config/Code/User/globalStorage"
TASK = "1796014800000"


class Session(msgspec.Struct):
    """A session that was written, and what a read of it has to find."""

    agent: str
    form: str
    """lines, document, rows or frames."""
    path: str
    """What to read."""
    home: str
    bytes: int
    """Of what is read; where it is compressed, unpacked."""
    messages: int
    """With a text."""
    calls: int
    results: int
    stored: int = 0
    """Bytes of the files."""
    small: "Session | None" = None
    """The shortest of its kind, to tell what it takes to start."""
    generator: str = ""


def write(agent: str) -> Session:
    """Write the session of this agent unless this very generator has written it already."""
    sources = sorted([*HERE.glob("corpus*.py"), HERE / "texts.py", HERE / "varied.py"])
    generator = hashlib.sha256(b"".join(path.read_bytes() for path in sources)).hexdigest()
    folder = CACHE / "others" / agent
    stamp = folder / "session.json"
    if stamp.exists():
        found = msgspec.json.decode(stamp.read_bytes(), type=Session)
        if found.generator == generator:
            return found
    shutil.rmtree(folder, ignore_errors=True)
    made = []
    for name, target in (("home", SIZES.get(agent, SIZE)), ("small", 1)):
        (folder / name).mkdir(parents=True)
        made.append(MAKERS[agent](folder / name, Texts(SEED), target))
    (CACHE / ".gitignore").write_text("*\n")
    session = made[0]
    session.small = made[1]
    session.generator = generator
    session.stored = sum(file.stat().st_size for file in (folder / "home").rglob("*") if file.is_file())
    stamp.write_bytes(msgspec.json.encode(session))
    return session


def _copied(agent: str, home: Path, *files: str) -> Path:
    """Copy these files of the agent's fixture; give the path of the first in the new home."""
    for name in files:
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FIXTURES / agent / "home" / name, home / name)
    return home / files[0]


def _rows(path: Path) -> list[Row]:
    return [msgspec.json.decode(line) for line in path.read_bytes().splitlines()]


def _lines(
    agent: str,
    path: Path,
    home: Path,
    varied: Varied,
    target: int,
    parts: tuple[list[Row], list[Row], list[Row]],
    each: tuple[int, int, int],
    *,
    chain: tuple[str, str] | None = None,
    numbered: tuple[str, ...] = (),
    more: int = 0,
) -> Session:
    """Write a file of lines: some at the start, some again and again, some at the end."""
    head, unit, tail = parts
    if chain is not None:
        head = list(varied.chain(head, *chain))
    size = 0
    with path.open("wb") as file:
        for row in head:
            size += file.write(msgspec.json.encode(row) + b"\n")
        while size < target or not varied.count:
            rows = varied.again(unit, **dict.fromkeys(numbered, varied.count))
            for row in varied.chain(rows, *chain) if chain is not None else rows:
                size += file.write(msgspec.json.encode(row) + b"\n")
        for row in varied.chain(tail, *chain) if chain is not None else tail:
            size += file.write(msgspec.json.encode(row) + b"\n")
    return _session(agent, "lines", path, home, size, varied.count, each, more)


def _session(
    agent: str, form: str, path: Path, home: Path, size: int, count: int, each: tuple[int, int, int], more: int = 0
) -> Session:
    messages, calls, results = each
    return Session(agent, form, str(path), str(home), size, more + count * messages, count * calls, count * results)


def _gemini(home: Path, texts: Texts, target: int) -> Session:
    chats = ".gemini/tmp/app/chats/session-2026-11-30T06-01-0568c37f.jsonl"
    path = _copied("gemini", home, chats, ".gemini/projects.json", ".gemini/tmp/app/.project_root")
    rows = _rows(path)
    # The messages that the session begins with hold the context that is injected.
    return _lines("gemini", path, home, Varied(texts), target, (rows[:2], rows[2:], []), (3, 2, 2), more=1)


def _qwen(home: Path, texts: Texts, target: int) -> Session:
    name = "b427ffc2-4ff3-43e9-a1f6-186de38aa7b6"
    path = _copied("qwen", home, f".qwen/projects/-home-dev-app/chats/{name}.jsonl")
    varied = Varied(texts, {name})
    return _lines("qwen", path, home, varied, target, ([], _rows(path), []), (3, 2, 2), chain=("uuid", "parentUuid"))


def _kimi(home: Path, texts: Texts, target: int) -> Session:
    name = "session_09a41e22-5a76-49d4-80f3-482c320a1df2"
    folder = f".kimi-code/sessions/wd_app_720d8948da0b/{name}"
    beside = (f"{folder}/state.json", ".kimi-code/session_index.jsonl", ".kimi-code/workspaces.json")
    path = _copied("kimi", home, f"{folder}/agents/main/wire.jsonl", *beside)
    rows = _rows(path)
    unit = [row for row in rows[4:] if row["type"] != "llm.tools_snapshot"]
    parts = (rows[:4], unit, list[Row]())
    return _lines("kimi", path, home, Varied(texts), target, parts, (3, 2, 2), numbered=("turnId", "turnStep"))


def _droid(home: Path, texts: Texts, target: int) -> Session:
    name = "83dda79a-c3f5-429c-bc8d-8824d3b538d1"
    place = ".factory/sessions/-home-dev-app"
    path = _copied("droid", home, f"{place}/{name}.jsonl", f"{place}/{name}.settings.json")
    rows = _rows(path)
    parts = (rows[:2], rows[2:], list[Row]())
    varied = Varied(texts, {name})
    return _lines("droid", path, home, varied, target, parts, (4, 5, 5), chain=("id", "parentId"))


def _copilot(home: Path, texts: Texts, target: int) -> Session:
    name = "11111111-2222-4333-8444-555555555502"
    folder = f".copilot/session-state/{name}"
    path = _copied("copilot", home, f"{folder}/events.jsonl", f"{folder}/workspace.yaml")
    rows = _rows(path)
    parts = ([rows[0], rows[2]], [rows[1], *rows[3:-1]], rows[-1:])
    varied = Varied(texts, {name})
    return _lines("copilot", path, home, varied, target, parts, (3, 3, 3), chain=("id", "parentId"), more=1)


def _document(document: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=2)


def _amp(home: Path, texts: Texts, target: int) -> Session:
    path = _copied("amp", home, ".local/share/amp/threads/T-01a22b51-f3d8-714e-98e7-9e6842d10490.json")
    thread = msgspec.json.decode(path.read_bytes())
    messages, ledger = thread["messages"], thread["usageLedger"]["events"]
    varied, size, numbers = Varied(texts), 0, ("messageId", "fromMessageId", "toMessageId")
    thread["messages"], thread["usageLedger"]["events"] = [], []
    while size < target:
        before = varied.count * len(messages)
        found = varied.again([*messages, *ledger], **dict.fromkeys(numbers, before))
        size += len(_document(found))
        thread["messages"] += found[: len(messages)]
        thread["usageLedger"]["events"] += found[len(messages) :]
    thread["nextMessageId"] = len(thread["messages"])
    size = path.write_bytes(_document(thread))
    return _session("amp", "document", path, home, size, varied.count, (4, 5, 5))


def _cline(home: Path, texts: Texts, target: int) -> Session:
    name = "1796018965134_9jdn5"
    folder = f".cline/data/sessions/{name}"
    path = _copied("cline", home, f"{folder}/{name}.messages.json", f"{folder}/{name}.json")
    document = msgspec.json.decode(path.read_bytes())
    unit, varied, size = document["messages"], Varied(texts, {name}), 0
    document["messages"] = []
    while size < target:
        found = varied.again(unit)
        size += len(_document(found))
        document["messages"] += found
    size = path.write_bytes(_document(document))
    return _session("cline", "document", path, home, size, varied.count, (3, 2, 2))


def _roocode(home: Path, texts: Texts, target: int) -> Session:
    """Both arrays of a task: what the model saw, and what the person was shown."""
    of_cline = FIXTURES / "cline/home" / TASKS / "saoudrizwan.claude-dev/tasks" / TASK
    folder = home / TASKS / "rooveterinaryinc.roo-cline/tasks" / TASK
    folder.mkdir(parents=True)
    said = msgspec.json.decode((of_cline / "api_conversation_history.json").read_bytes())
    shown = msgspec.json.decode((of_cline / "ui_messages.json").read_bytes())
    for row in said + shown:
        row.pop("modelInfo", None)
        row.pop("conversationHistoryIndex", None)
        if row.get("say") == "api_req_started":
            row["text"] = row["text"].replace("{", '{"apiProtocol": "anthropic", ', 1)
    varied, size = Varied(texts), 0
    arrays: tuple[list[Row], list[Row]] = ([], [])
    while size < target:
        found = varied.again(said + shown)
        size += len(msgspec.json.encode(found))
        arrays[0].extend(found[: len(said)])
        arrays[1].extend(found[len(said) :])
    size = (folder / "ui_messages.json").write_bytes(msgspec.json.encode(arrays[1]))
    path = folder / "api_conversation_history.json"
    size += path.write_bytes(msgspec.json.encode(arrays[0]))
    # The call that ends a task has no result.
    return _session("roocode", "document", path, home, size, varied.count, (3, 2, 1))


def _fill(database: sqlite3.Connection, table: str, rows: list[Row]) -> int:
    """Insert rows, give the bytes of what is in them."""
    names = list(rows[0])
    marks = ", ".join("?" * len(names))
    database.executemany(
        f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", [[*row.values()] for row in rows]
    )
    return sum(len(value.encode() if isinstance(value, str) else value) for row in rows for value in row.values()
               if isinstance(value, str | bytes))  # fmt: skip


def _taken(database: sqlite3.Connection, table: str) -> list[Row]:
    """Take all rows out of a table; what is JSON is decoded."""
    cursor = database.execute(f"SELECT * FROM {table} ORDER BY rowid")
    names = [column[0] for column in cursor.description]
    found = [dict(zip(names, values, strict=True)) for values in cursor]
    database.execute(f"DELETE FROM {table}")
    return [{name: _decoded(name, value) for name, value in row.items()} for row in found]


def _decoded(name: str, value: Any) -> Any:
    return msgspec.json.decode(value) if name in ("data", "content_json", "event_json") and value else value


def _encoded(row: Row) -> Row:
    return {k: msgspec.json.encode(v).decode() if isinstance(v, dict | list) else v for k, v in row.items()}


def _finish(database: sqlite3.Connection) -> None:
    database.commit()
    database.execute("PRAGMA page_size = 4096")
    database.execute("VACUUM")


def _of_opencode(agent: str, path: Path, home: Path, texts: Texts, target: int) -> Session:
    """Messages and their parts; the table of events, which says the same once more, is left empty."""
    with closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM event")
        parts, messages = _taken(database, "part"), _taken(database, "message")
        varied, size = Varied(texts), 0
        while size < target:
            found = [_encoded(row) for row in varied.again(messages + parts)]
            size += _fill(database, "message", found[: len(messages)])
            size += _fill(database, "part", found[len(messages) :])
        _finish(database)
    return _session(agent, "rows", path, home, size, varied.count, (3, 2, 2))


def _opencode(home: Path, texts: Texts, target: int) -> Session:
    return _of_opencode("opencode", _copied("opencode", home, ".local/share/opencode/opencode.db"), home, texts, target)


def _kilocode(home: Path, texts: Texts, target: int) -> Session:
    path = home / ".local/share/kilo/kilo.db"
    path.parent.mkdir(parents=True)
    shutil.copyfile(FIXTURES / "opencode/home/.local/share/opencode/opencode.db", path)
    return _of_opencode("kilocode", path, home, texts, target)


def _goose(home: Path, texts: Texts, target: int) -> Session:
    path = _copied("goose", home, ".local/share/goose/sessions/sessions.db")
    with closing(sqlite3.connect(path)) as database:
        unit = _taken(database, "messages")
        varied, size = Varied(texts), 0
        while size < target:
            found = varied.again(unit, id=varied.count * len(unit))
            size += _fill(database, "messages", [_encoded(row) for row in found])
        _finish(database)
    return _session("goose", "rows", path, home, size, varied.count, (3, 2, 2))


def _openclaw(home: Path, texts: Texts, target: int) -> Session:
    """Two runs again and again; lines above 4 KB are compressed, as OpenClaw does it."""
    path = _copied("openclaw", home, ".openclaw/agents/main/agent/openclaw-agent.sqlite")
    packer, size = zstandard.ZstdCompressor(), 0
    with closing(sqlite3.connect(path)) as database:
        # A check of the table names it; SQLite has it since 3.43.
        database.create_function("octet_length", 1, lambda value: len(value.encode()), deterministic=True)
        about = database.execute("SELECT navigation_json FROM transcript_events WHERE seq = 22").fetchone()[0]
        for table in ("session_transcript_active_events", "transcript_event_identities"):
            database.execute(f"DELETE FROM {table}")
        stored = _taken(database, "transcript_events")
        name = stored[0]["session_id"]
        events = [row["event_json"] or _unpacked(row["event_zstd"]) for row in stored]
        varied = Varied(texts, {name})
        whole = [events[0], *varied.chain(events[1:6], "id", "parentId")]
        while size < target or not varied.count:
            rows = []
            if size:
                whole = [*varied.chain(varied.again(events[6:25]), "id", "parentId")]
            before = database.execute("SELECT count(*) FROM transcript_events").fetchone()[0]
            for seq, event in enumerate(whole, before):
                text = msgspec.json.encode(event)
                size += len(text)
                packed = packer.compress(text) if len(text) > 4096 else None
                rows.append({"session_id": name, "seq": seq, "event_json": None if packed else text.decode(),
                             "created_at": stored[0]["created_at"] + seq, "event_zstd": packed,
                             "event_utf8_bytes": len(text), "navigation_json": about if packed else None})  # fmt: skip
            _fill(database, "transcript_events", rows)
        _finish(database)
    # The lines at the start are a prompt and its answer. OpenClaw does not write calls of tools that there are not.
    return _session("openclaw", "rows", path, home, size, varied.count, (7, 5, 5), 2)


def _unpacked(data: bytes) -> Row:
    with zstandard.ZstdDecompressor().stream_reader(data) as stream:
        found: Row = msgspec.json.decode(stream.read())
    return found


def _antigravity(home: Path, texts: Texts, target: int) -> Session:
    log, size, count = write_antigravity(home, texts, target)
    return _session("antigravity", "rows", log, home, size, count, (3, 1, 1))


def _dsh(home: Path, texts: Texts, target: int) -> Session:
    """A turn again and again, in frames of three lines: the harness writes one whenever it appends."""
    name = "session-2291a695-4e45-4566-81ca-0c488018ffd2"
    path = _copied("dsh", home, f".dsh/sessions/--home-dev-app--/{name}/session.v4.jsonl.zstd")
    reader = zstandard.ZstdDecompressor().stream_reader(io.BytesIO(path.read_bytes()), read_across_frames=True)
    rows: list[Row] = [msgspec.json.decode(line) for line in reader.read().splitlines()]
    head, unit = rows[:4], rows[20:52]
    varied, size, packer = Varied(texts, {name}), 0, zstandard.ZstdCompressor()
    with path.open("wb") as file:
        for batch in _batches(head, unit, varied):
            text = b"".join(msgspec.json.encode(row) + b"\n" for row in batch)
            size += len(text)
            file.write(packer.compress(text))
            if size >= target and batch[-1]["type"] == "turn/end":
                break
    return _session("dsh", "frames", path, home, size, varied.count, (4, 5, 5))


def _batches(head: list[Row], unit: list[Row], varied: Varied) -> Iterator[list[Row]]:
    yield head
    while True:
        before = varied.count * len(unit) + head[-1]["seq"] + 1 - unit[0]["seq"]
        rows = varied.again(unit, seq=before, sourceEventSeqs=before, turn=varied.count - 1)
        for start in range(0, len(rows), 3):
            yield rows[start : start + 3]


MAKERS: dict[str, Callable[[Path, Texts, int], Session]] = {
    "gemini": _gemini,
    "droid": _droid,
    "copilot": _copilot,
    "qwen": _qwen,
    "kimi": _kimi,
    "amp": _amp,
    "cline": _cline,
    "roocode": _roocode,
    "opencode": _opencode,
    "kilocode": _kilocode,
    "openclaw": _openclaw,
    "goose": _goose,
    "antigravity": _antigravity,
    "dsh": _dsh,
}


def _missing(session: Session, panscript: list[str]) -> str:
    """What a read does not find of the session, or finds too much; "" when it is right."""
    command = [*panscript, "events", session.path, "--from", session.agent, "--kinds", "message,tool_call"]
    paths = os.pathsep.join(filter(None, (str(ROOT / ".src"), os.environ.get("PYTHONPATH"))))
    environment = {**os.environ, "PYTHONPATH": paths, "HOME": session.home}
    found = {"messages": 0, "calls": 0, "results": 0}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        for line in process.stdout or ():
            event = msgspec.json.decode(line)
            found["messages"] += event["kind"] == "message"
            found["calls"] += event["kind"] == "tool_call"
            found["results"] += event.get("status", "unknown") != "unknown"
    wrong = [f"{count} {name} of {getattr(session, name)}" for name, count in found.items()
             if count != getattr(session, name)]  # fmt: skip
    return ", ".join(wrong or [f"exit {process.returncode}"] * (process.returncode != 0))


def main() -> int:
    """Write the sessions, print what they are."""
    parser = argparse.ArgumentParser(description="Write a large session of each of the other agents.")
    parser.add_argument("--agents", default=",".join(MAKERS), help="separated by commas (default: all)")
    parser.add_argument("--check", action="store_true", help="exit 1 if a read does not find all that is in one")
    parser.add_argument("--panscript", metavar="CMD", default=default_command(), help="default: %(default)s")
    options = parser.parse_args()
    print("agent        form          MB  stored MB  messages   calls  results")
    failed = False
    for agent in options.agents.split(","):
        s = write(agent)
        print(f"{agent:<12} {s.form:<9} {s.bytes / 10**6:>6.1f} {s.stored / 10**6:>10.1f} {s.messages:>9} {s.calls:>7}"
              f" {s.results:>8}")  # fmt: skip
        wrong = _missing(s, shlex.split(options.panscript)) if options.check else ""
        if wrong:
            print(f"{agent}: a read finds {wrong}")
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
