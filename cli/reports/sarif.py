"""Problems as SARIF 2.1.0, the form of code scanning services."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from panscript.cli.version import VERSION
from panscript.readers.validation import CODES, FileProblems, Problem

__all__ = ["log"]

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def log(files: list[FileProblems]) -> str:
    """The log of one run."""
    used = list(dict.fromkeys(problem.code for file in files for problem in file.problems))
    rules = [{"id": code, "shortDescription": {"text": CODES[code].sentence}} for code in used]
    places = {code: index for index, code in enumerate(used)}
    driver = {"name": "panscript", "version": VERSION, "rules": rules}
    results = [_result(file, problem, places) for file in files for problem in file.problems]
    whole = {"$schema": _SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]}
    return msgspec.json.format(msgspec.json.encode(whole), indent=2).decode()


def _result(file: FileProblems, problem: Problem, places: dict[str, int]) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": {"uri": _uri(file.path)}}
    if problem.line is not None:
        location["region"] = {"startLine": problem.line}
    return {
        "ruleId": problem.code,
        "ruleIndex": places[problem.code],
        "level": problem.severity,
        "message": {"text": problem.message},
        "locations": [{"physicalLocation": location, "logicalLocations": [{"fullyQualifiedName": problem.path}]}],
    }


def _uri(path: str) -> str:
    name = quote(os.fsencode(path).replace(os.fsencode(os.sep), b"/"))
    return f"file://{name}" if Path(path).is_absolute() else name
