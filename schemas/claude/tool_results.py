"""The shapes of `toolUseResult` on user rows, and which of them a value has.

The value says nowhere which tool it is from, so a shape is told by its keys. A failure is text (`Error: ...`), and the
result of an MCP tool is text, a list of blocks or any object: these have no shape here.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from panscript.schemas.claude import agent_results as agents
from panscript.schemas.claude import file_results as files
from panscript.schemas.claude import service_results as services
from panscript.schemas.claude.open_unions import unknown_in, wrapped

__all__ = ["TOOL_RESULTS", "decode_tool_result", "shape_of"]

_AGENT = (
    agents.AgentCompletedResult,
    agents.AgentLaunchedResult,
    agents.AgentRemoteResult,
    agents.TeammateSpawnedResult,
)

TOOL_RESULTS: dict[str, tuple[type[msgspec.Struct], ...]] = {
    "Bash": (files.BashResult,),
    "PowerShell": (files.BashResult,),
    "BashOutput": (files.BashOutputResult,),
    "KillShell": (files.KillShellResult,),
    "Read": (
        files.ReadTextResult,
        files.ReadImageResult,
        files.ReadNotebookResult,
        files.ReadPdfResult,
        files.ReadPartsResult,
        files.ReadUnchangedResult,
    ),
    "Edit": (files.EditResult,),
    "MultiEdit": (files.MultiEditResult,),
    "Write": (files.WriteResult,),
    "NotebookEdit": (files.NotebookEditResult,),
    "Glob": (files.GlobResult,),
    "Grep": (files.GrepResult,),
    "TodoWrite": (agents.TodoWriteResult,),
    "TaskCreate": (agents.TaskCreateResult,),
    "TaskGet": (agents.TaskGetResult,),
    "TaskUpdate": (agents.TaskUpdateResult,),
    "TaskList": (agents.TaskListResult,),
    "TaskStop": (agents.TaskStopResult,),
    "TaskOutput": (agents.TaskOutputResult,),
    "Task": _AGENT,
    "Agent": _AGENT,
    "Workflow": (agents.WorkflowResultLaunched,),
    "Skill": (agents.SkillResult,),
    "EnterPlanMode": (agents.EnterPlanModeResult,),
    "ExitPlanMode": (agents.ExitPlanModeResult,),
    "AskUserQuestion": (agents.AskUserQuestionResult,),
    "EnterWorktree": (agents.EnterWorktreeResult,),
    "ExitWorktree": (agents.ExitWorktreeResult,),
    "CronCreate": (agents.CronCreateResult,),
    "CronDelete": (agents.CronDeleteResult,),
    "CronList": (agents.CronListResult,),
    "ScheduleWakeup": (agents.ScheduleWakeupResult,),
    "Monitor": (agents.MonitorResult,),
    "ReportFindings": (agents.ReportFindingsResult,),
    "ProposeSkills": (agents.ProposeSkillsResult,),
    "ProposeGoal": (agents.ProposeGoalResult,),
    "WebFetch": (services.WebFetchResult,),
    "WebSearch": (services.WebSearchResult,),
    "ToolSearch": (services.ToolSearchResult,),
    "ReadMcpResource": (services.ReadMcpResourceResult,),
    "ReadMcpResourceDir": (services.ReadMcpResourceDirResult,),
    "Artifact": (services.ArtifactResult, services.ArtifactListResult, services.ArtifactActionResult),
    "Projects": (services.ProjectsResult,),
    "RemoteTrigger": (services.RemoteTriggerResult,),
    "PushNotification": (services.PushNotificationResult,),
    "ReadNotifications": (services.ReadNotificationsResult,),
    "ClaudeDesign": (services.ClaudeDesignResult,),
    "SendFeedback": (services.SendFeedbackResult,),
    "ShowOnboardingRolePicker": (services.OnboardingRoleResult,),
    "OfferChromeSetup": (services.ChromeSetupResult,),
}
"""Shapes by the name of the tool; two tools may share one."""


def shape_of(value: Any) -> type[msgspec.Struct] | None:
    """Find the shape of a decoded `toolUseResult`, or None for text, lists, and objects that fit no shape.

    A shape fits when all its required fields are there and its fixed values agree. Of several the one that leaves the
    fewest keys over wins, at any depth, then the one that asks for most; of equals the first that decodes. A shape with
    optional fields only must leave nothing over.
    """
    if not isinstance(value, dict):
        return None
    ranked = []
    for shape, required, fixed in _shapes():
        if required <= value.keys() and all(value[name] in allowed for name, allowed in fixed.items()):
            over = sum(1 for _ in unknown_in(value, shape))
            if required or (value and not over):
                ranked.append((over, -len(required), shape))
    if not ranked:
        return None
    best = min(each[:2] for each in ranked)
    equals = [shape for *rank, shape in ranked if tuple(rank) == best]
    return next((shape for shape in equals if _decodes(value, shape)), equals[0])


def decode_tool_result(value: Any) -> Any:
    """Give a decoded `toolUseResult` as the struct of its shape, or unchanged when it has none.

    Raises `msgspec.ValidationError` when a field of the shape has a wrong type.
    """
    shape = shape_of(value)
    return value if shape is None else msgspec.convert(wrapped(value, shape), shape)


def _decodes(value: Any, shape: type[msgspec.Struct]) -> bool:
    try:
        msgspec.convert(wrapped(value, shape), shape)
    except msgspec.ValidationError:
        return False
    return True


@cache
def _shapes() -> list[tuple[type[msgspec.Struct], frozenset[str], dict[str, tuple[Any, ...]]]]:
    """Each shape with the names it requires and the values it fixes."""
    found = []
    for shape in dict.fromkeys(shape for shapes in TOOL_RESULTS.values() for shape in shapes):
        info = inspect.type_info(shape)
        assert isinstance(info, inspect.StructType)
        required = [each for each in info.fields if each.required]
        fixed = {each.encode_name: each.type.values for each in required if isinstance(each.type, inspect.LiteralType)}
        found.append((shape, frozenset(each.encode_name for each in required), fixed))
    return found
