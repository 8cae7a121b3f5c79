"""Sessions on a machine: each once, sub-agents beneath them, segments together, problems named."""

import json
import shutil
from pathlib import Path

import pytest

from panscript.readers.context import Context
from panscript.readers.discovery import discover, family, find_session, full_id, part_of_reader
from panscript.readers.opening import reader
from panscript.schemas.agents import AGENTS
from panscript.schemas.errors import NotATranscript, SourceError, SourceNotFound, UnknownAgent
from panscript.schemas.records import Source
from tests.readers.trees import TIME, claude_row, claude_session, codex_thread, pi_session, thread_id, write

BAD_ROWS = "not json\n{\n"


def _found(context: Context, *agents: str) -> tuple[list[Source], list[SourceError]]:
    problems: list[SourceError] = []
    return list(discover(context, agents or None, problems.append)), problems


def _tree(source: Source) -> object:
    """The ids of a session and of what is beneath it."""
    return (source.id, [_tree(child) for child in source.children]) if source.children else source.id


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home folder."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def test_an_empty_home_has_no_sessions_and_no_problems(home: Path) -> None:
    assert _found(Context.at(home)) == ([], [])


def test_every_agent_that_can_be_read_can_be_discovered() -> None:
    readable = [entry.id for entry in AGENTS if entry.reader is not None]
    assert [name for name in readable if not hasattr(part_of_reader(name, "discovery"), "discover")] == []


def test_agents_come_in_the_order_of_the_table_whatever_the_order_asked_for(home: Path) -> None:
    claude_session(home / ".claude/projects/-a", "c1")
    codex_thread(home / ".codex/sessions/2026/03/01", 1)
    pi_session(home / ".pi/agent/sessions/--a--/x.jsonl", "p1")
    for asked in ((), ("claude", "pi", "codex")):
        sources, problems = _found(Context.at(home), *asked)
        assert [source.agent for source in sources] == ["pi", "codex", "claude"]
        assert problems == []


def test_nothing_is_opened_before_the_first_session_is_asked_for(home: Path) -> None:
    waiting = discover(Context.at(home))
    claude_session(home / ".claude/projects/-a", "late")
    assert [source.id for source in waiting] == ["late"]


def test_unknown_agents_and_roots_that_are_not_searched_are_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(UnknownAgent):
        discover(Context.at(tmp_path), ["nobody"])
    with pytest.raises(UnknownAgent):
        discover(Context.at(tmp_path, {"codex": (tmp_path,)}), ["claude"])
    with pytest.raises(UnknownAgent):
        discover(Context.at(tmp_path, {"codex": ()}))


def test_a_missing_root_is_a_problem_and_the_other_agents_go_on(home: Path) -> None:
    claude_session(home / ".claude/projects/-a", "c1")
    context = Context.at(home, {"codex": (home / "none",)})
    sources, problems = _found(context)
    assert [source.id for source in sources] == ["c1"]
    assert [type(problem) for problem in problems] == [SourceNotFound]


def test_problems_are_raised_without_someone_to_tell(home: Path) -> None:
    with pytest.raises(SourceNotFound):
        list(discover(Context.at(home, {"codex": (home / "none",)}), ["codex"]))


@pytest.mark.parametrize(
    ("agent", "path"),
    [
        ("claude", ".claude/projects/-a/{}.jsonl"),
        ("codex", ".codex/sessions/2026/03/01/rollout-2026-03-01T10-00-0{}.jsonl"),
        ("pi", ".pi/agent/sessions/--a--/{}.jsonl"),
    ],
)
def test_empty_blank_and_rubbish_files_are_no_sessions_and_are_named(home: Path, agent: str, path: str) -> None:
    (home / path).parent.mkdir(parents=True)
    (home / path.format(1)).write_bytes(b"")
    (home / path.format(2)).write_bytes(b"\n \r\n\n")
    (home / path.format(3)).write_bytes(b"\xef\xbb\xbf\0\0\0")
    (home / path.format(4)).write_text(BAD_ROWS)
    (home / path.format(5)).write_bytes(b"\0" * 70_000)
    sources, problems = _found(Context.at(home), agent)
    assert sources == []
    assert {type(problem) for problem in problems} == {NotATranscript}
    # Claude Code leaves files without a byte behind; that is nothing to speak of.
    named = [number for number in range(1, 6) if agent != "claude" or number != 1]
    assert [problem.path for problem in problems] == [str(home / path.format(number)) for number in named]
    nothing = [problem.path for problem in problems if "there is nothing in it" in problem.message]
    assert nothing == [str(home / path.format(number)) for number in named if number != 4]


def test_no_file_ends_the_scan_of_the_others(home: Path) -> None:
    folder = home / ".claude/projects/-a"
    claude_session(folder, "a")
    (folder / "b.jsonl").symlink_to("nowhere")
    (folder / "c.jsonl").mkdir()
    (folder / "d.jsonl").write_text(BAD_ROWS)
    claude_session(folder, "e")
    sources, problems = _found(Context.at(home), "claude")
    assert [source.id for source in sources] == ["a", "e"]
    assert sorted(Path(problem.path or "").name for problem in problems) == ["b.jsonl", "c.jsonl", "d.jsonl"]


class TestClaude:
    """Claude Code: sub-agents below or beside their session."""

    def test_sub_agents_are_children_of_their_session(self, home: Path) -> None:
        folder = home / ".claude/projects/-a"
        claude_session(folder, "s1")
        claude_session(folder, "s2")
        agents = folder / "s1" / "subagents"
        write(agents / "agent-b.jsonl", claude_row("s1", isSidechain=True, agentId="b"))
        write(agents / "workflows/run/agent-c.jsonl", claude_row("s1", isSidechain=True, agentId="c"))
        write(agents / "workflows/run/journal.jsonl", {"type": "started"})
        write(folder / "agent-d.jsonl", claude_row("s2", isSidechain=True, agentId="d"))
        sources, problems = _found(Context.at(home), "claude")
        assert [_tree(source) for source in sources] == [("s1", ["b", "c"]), ("s2", ["d"])]
        assert [full_id(member) for member in family(sources[0])] == ["s1", "s1/b", "s1/c"]
        assert {child.parent for child in sources[0].children} == {"s1"}
        assert problems == []

    def test_a_sub_agent_whose_session_is_gone_stands_alone_and_knows_its_parent(self, home: Path) -> None:
        folder = home / ".claude/projects/-a"
        write(folder / "gone/subagents/agent-b.jsonl", claude_row("gone", isSidechain=True, agentId="b"))
        write(folder / "agent-d.jsonl", claude_row("gone2", isSidechain=True, agentId="d"))
        sources, problems = _found(Context.at(home), "claude")
        assert sorted(full_id(source) for source in sources) == ["gone/b", "gone2/d"]
        assert problems == []

    def test_folders_of_other_things_are_not_searched(self, home: Path) -> None:
        folder = home / ".claude/projects/-a"
        claude_session(folder, "s1")
        for name in ("memory", "s1/tool-results"):
            claude_session(folder / name, "not-a-session")
        sources, _ = _found(Context.at(home), "claude")
        assert [_tree(source) for source in sources] == ["s1"]

    def test_a_session_linked_into_the_tree_keeps_its_sub_agents(self, home: Path) -> None:
        kept = home / "kept"
        claude_session(kept, "s1")
        write(kept / "s1/subagents/agent-b.jsonl", claude_row("s1", isSidechain=True, agentId="b"))
        (home / ".claude/projects").mkdir(parents=True)
        (home / ".claude/projects/-a").symlink_to(kept, target_is_directory=True)
        sources, _ = _found(Context.at(home), "claude")
        assert [_tree(source) for source in sources] == [("s1", ["b"])]

    def test_every_place_of_a_list_is_searched(self, home: Path) -> None:
        claude_session(home / "a/projects/-p", "s1")
        claude_session(home / "b/transcripts", "s2")
        context = Context(home, {"CLAUDE_CONFIG_DIR": f"{home}/a,{home}/b"})
        assert [source.id for source in _found(context, "claude")[0]] == ["s1", "s2"]

    def test_the_fixtures_are_found_as_they_are(self, fixtures_dir: Path) -> None:
        context = Context.at(Path("/nowhere"), {"claude": (fixtures_dir / "claude/v2.1.328",)})
        sources, problems = _found(context, "claude")
        assert problems == []
        assert [_tree(source) for source in sources] == [
            *(f"10000000-0000-4000-8000-00000000000{n}" for n in (1, 2, 3)),
            ("10000000-0000-4000-8000-000000000004", ["a117730b981e0915b"]),
            *(f"10000000-0000-4000-8000-00000000000{n}" for n in (5, 6, 7, 8, 9)),
            "20442b62-39fb-44c6-98c1-119a0a4ec831",
        ]


class TestCodex:
    """Codex: threads of several files, compressed twins, sub-agents with ids of their own."""

    def test_the_plain_file_is_read_where_a_compressed_one_stands_beside_it(
        self, home: Path, fixtures_dir: Path
    ) -> None:
        packed = next((fixtures_dir / "codex/home-0.171.0-zst").rglob("*-d1e8-*.zst"))
        plain = next((fixtures_dir / "codex/home-0.171.0").rglob("*-d1e8-*.jsonl"))
        folder = home / ".codex/sessions/2026/11/30"
        folder.mkdir(parents=True)
        shutil.copy(packed, folder)
        sources, _ = _found(Context.at(home), "codex")
        assert [Path(source.path).suffix for source in sources] == [".zst"]
        shutil.copy(plain, folder)
        sources, problems = _found(Context.at(home), "codex")
        assert [Path(source.path).suffix for source in sources] == [".jsonl"]
        assert problems == []

    def test_segments_are_files_of_one_thread_in_order(self, home: Path) -> None:
        folder = home / ".codex/sessions/2026/03"
        first = codex_thread(folder / "01", 1)
        later = [
            codex_thread(folder / day, 1, segment=number, history_base={"thread_id": thread_id(1)})
            for day, number in (("02", 20), ("01", 30))
        ]
        sources, problems = _found(Context.at(home), "codex")
        assert [source.id for source in sources] == [thread_id(1)]
        assert [(file.path, file.role) for file in sources[0].files] == [
            (str(first), "main"),
            (str(later[0]), "segment"),
            (str(later[1]), "segment"),
        ]
        assert problems == []

    def test_a_fork_brings_the_file_it_builds_on_or_says_that_it_is_missing(self, home: Path) -> None:
        folder = home / ".codex/sessions/2026/03/01"
        base = codex_thread(folder, 1)
        fork = codex_thread(folder, 2, forked_from_id=thread_id(1), history_base={"thread_id": thread_id(1)})
        codex_thread(folder, 3, forked_from_id=thread_id(9), history_base={"thread_id": thread_id(9)})
        sources, _ = _found(Context.at(home), "codex")
        assert [source.id for source in sources] == [thread_id(1), thread_id(2), thread_id(3)]
        assert [(file.path, file.role) for file in sources[1].files] == [(str(base), "base"), (str(fork), "main")]
        assert sources[1].missing == ()
        assert sources[2].missing == (thread_id(9),)

    def test_sub_agents_are_children_of_the_thread_they_name_at_any_depth(self, home: Path) -> None:
        folder = home / ".codex/sessions/2026/03/01"
        spawn = {"subagent": {"thread_spawn": {"parent_thread_id": thread_id(2), "depth": 2}}}
        codex_thread(folder, 1)
        codex_thread(folder, 2, parent_thread_id=thread_id(1))
        codex_thread(folder, 3, source=spawn)
        codex_thread(folder, 4, parent_thread_id=thread_id(99))
        sources, problems = _found(Context.at(home), "codex")
        assert [_tree(source) for source in sources] == [
            (thread_id(1), [(thread_id(2), [thread_id(3)])]),
            thread_id(4),
        ]
        assert sources[1].parent == thread_id(99)
        assert problems == []

    def test_threads_that_name_each_other_as_parents_come_once(self, home: Path) -> None:
        folder = home / ".codex/sessions/2026/03/01"
        codex_thread(folder, 1, parent_thread_id=thread_id(2))
        codex_thread(folder, 2, parent_thread_id=thread_id(1))
        sources, _ = _found(Context.at(home), "codex")
        assert [_tree(source) for source in sources] == [(thread_id(1), [thread_id(2)])]

    def test_a_copy_of_a_thread_is_named_and_the_fuller_one_is_read(self, home: Path) -> None:
        full = codex_thread(home / ".codex/sessions/2026/03/01", 1, "a longer text than the other")
        part = codex_thread(home / ".codex/archived_sessions", 1, "short")
        sources, problems = _found(Context.at(home), "codex")
        assert [source.path for source in sources] == [str(full)]
        assert [problem.path for problem in problems] == [str(part)]

    def test_a_thread_without_header_has_its_id_from_the_name_of_its_file(self, home: Path) -> None:
        path = codex_thread(home / ".codex/sessions/2026/03/01", 7)
        path.write_text("".join(path.read_text().splitlines(keepends=True)[1:]))
        sources, problems = _found(Context.at(home), "codex")
        assert [source.id for source in sources] == [thread_id(7)]
        assert problems == []

    def test_a_header_longer_than_the_head_of_a_file_is_read(self, home: Path) -> None:
        folder = home / ".codex/sessions/2026/03/01"
        codex_thread(folder, 1)
        codex_thread(folder, 2, parent_thread_id=thread_id(1), base_instructions={"text": "x" * 300_000})
        sources, _ = _found(Context.at(home), "codex")
        assert [_tree(source) for source in sources] == [(thread_id(1), [thread_id(2)])]

    def test_every_thread_of_the_fixtures_is_found_with_its_files_and_children(self, fixtures_dir: Path) -> None:
        manifest = json.loads((fixtures_dir / "codex/MANIFEST.json").read_text())
        for home, threads in manifest.items():
            folder = fixtures_dir / "codex" / home
            sources, problems = _found(Context.at(Path("/x"), {"codex": (folder,)}), "codex")
            own = [
                sorted(str(Path(file.path).relative_to(folder)) for file in member.files if file.role != "base")
                for source in sources
                for member in family(source)
            ]
            assert problems == []
            assert sorted(own) == sorted(sorted(thread["files"]) for thread in threads)

    def test_a_thread_found_is_the_thread_that_its_path_opens(self, fixtures_dir: Path) -> None:
        context = Context.at(Path("/x"), {"codex": (fixtures_dir / "codex/home-0.171.0",)})
        for source in _found(context, "codex")[0]:
            for member in family(source):
                assert reader("codex").resolve(member.path) == member


class TestPi:
    """Pi: one file a session, and the sub-agents of omp in a folder named like it."""

    def test_the_header_names_the_session_and_else_the_file(self, home: Path) -> None:
        folder = home / ".pi/agent/sessions/--a--"
        pi_session(folder / "2026-03-01T10-00-00-000Z_one.jsonl", "p1")
        headless = pi_session(folder / "2026-03-01T11-00-00-000Z_two.jsonl", "p2")
        headless.write_text(headless.read_text().split("\n", 1)[1])
        sources, problems = _found(Context.at(home), "pi")
        assert [source.id for source in sources] == ["p1", "two"]
        assert problems == []

    def test_sub_agents_of_omp_are_children_of_their_session(self, home: Path) -> None:
        folder = home / ".omp/agent/sessions/-app"
        pi_session(folder / "x.jsonl", "p1")
        pi_session(folder / "x/task.jsonl", "p2")
        pi_session(folder / "x/task/deeper.jsonl", "p3")
        sources, _ = _found(Context.at(home), "pi")
        assert [_tree(source) for source in sources] == [("p1", [("p2", ["p3"])])]
        assert sources[0].children[0].parent == "p1"

    def test_an_imported_sub_agent_is_a_child_of_the_import_it_was_made_with(self, home: Path) -> None:
        folder = home / ".pi/agent/sessions/--a--"
        made = [("b", "b", "s1", None), ("a", "a", "s1/x", "s1"), ("fork", "f", "s1", None)]
        for name, session, source, parent in made:
            path = pi_session(folder / f"{name}.jsonl", session)
            record = {"source": "claude", "importer": "panscript 1", "sourceSessionId": source}
            if parent is not None:
                record["parentSourceSessionId"] = parent
            began = "2026-02-01T10:00:00.000Z" if name == "fork" else TIME
            entry = {"type": "custom", "id": "h", "parentId": None, "timestamp": began, "customType": "import"}
            header, prompt = path.read_text().splitlines(keepends=True)
            path.write_text(header + json.dumps({**entry, "data": record}) + "\n" + prompt)
        sources, problems = _found(Context.at(home), "pi")
        assert [_tree(source) for source in sources] == [("b", ["a"]), "f"]
        assert problems == []

    def test_one_folder_for_all_projects_is_read_where_the_variable_names_it(self, home: Path) -> None:
        pi_session(home / "flat/x.jsonl", "p1")
        context = Context(home, {"PI_CODING_AGENT_SESSION_DIR": str(home / "flat")})
        assert [source.id for source in _found(context, "pi")[0]] == ["p1"]


def _named(name: str, sources: list[Source]) -> list[str]:
    return [full_id(source) for source in find_session(sources, name)]


def test_a_session_is_found_by_its_id_by_its_beginning_and_its_sub_agents_by_theirs(home: Path) -> None:
    folder = home / ".claude/projects/-a"
    for name in ("abcd1", "abcd2", "abcd"):
        claude_session(folder, name)
    write(folder / "abcd1/subagents/agent-feed.jsonl", claude_row("abcd1", isSidechain=True))
    sources, _ = _found(Context.at(home), "claude")
    assert _named("abcd1", sources) == ["abcd1"]
    assert _named("abcd", sources) == ["abcd"]
    assert sorted(_named("abc", sources)) == ["abcd", "abcd1", "abcd2"]
    assert _named("abcd1/feed", sources) == ["abcd1/feed"]
    assert _named("abcd1/f", sources) == ["abcd1/feed"]
    assert _named("feed", sources) == ["abcd1/feed"]
    assert _named("none", sources) == []
