"""Problems as JUnit XML: a suite of all files, a test case a file, a failure where there are errors."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from panscript.cli.reports.document import utf8
from panscript.cli.reports.plain import line
from panscript.readers.validation import FileProblems
from panscript.schemas.terminal import visible

__all__ = ["suite_of"]


def suite_of(files: list[FileProblems]) -> str:
    """The XML document."""
    failed = sum(not file.ok for file in files)
    root = ET.Element("testsuites", tests=str(len(files)), failures=str(failed))
    suite = ET.SubElement(root, "testsuite", name="panscript validate", tests=str(len(files)), failures=str(failed))
    for file in files:
        path = visible(utf8(file.path))
        case = ET.SubElement(suite, "testcase", classname=file.agent or "unknown", name=path, file=path)
        errors = [line(path, problem) for problem in file.problems if problem.severity == "error"]
        others = [line(path, problem) for problem in file.problems if problem.severity != "error"]
        if not file.ok:
            failure = ET.SubElement(case, "failure", message=f"{file.errors} errors", type="validation")
            failure.text = _text(errors)
        if others:
            ET.SubElement(case, "system-out").text = _text(others)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}'


def _text(rows: list[str]) -> str:
    # XML 1.0 has no place for these two, and the library does not look.
    return "\n".join(rows).replace("\ufffe", "").replace("\uffff", "")
