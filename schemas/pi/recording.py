"""The import record in the entries of a Pi file that hold it."""

import msgspec

from panscript.schemas.import_record import ImportHead, ImportPart
from panscript.schemas.pi.entries import Custom
from panscript.schemas.pi.record_names import HEAD_TYPE, PART_TYPE
from panscript.schemas.record_names import IMPORTER

__all__ = ["decode_import"]


def decode_import(entry: Custom) -> ImportHead | ImportPart | None:
    """Give the part of the import record that `entry` holds, or None if it holds another program's data.

    Raises `msgspec.ValidationError` when the entry is ours and of a wrong shape.
    """
    if not isinstance(entry.data, dict):
        return None
    if entry.custom_type == HEAD_TYPE and str(entry.data.get("importer", "")).startswith(IMPORTER):
        return msgspec.convert(entry.data, ImportHead)
    if entry.custom_type == PART_TYPE:
        return msgspec.convert(entry.data, ImportPart)
    return None
