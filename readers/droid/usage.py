"""How Droid's tokens are counted: one total a session, in the settings file beside the rows.

The total is of this session's own requests: a fork starts at zero, and sub-agents have settings of their own. The
inclusive total beside it may add theirs and is never counted. What a single message used is not stored.
"""

from __future__ import annotations

from panscript.readers.droid.survey import Survey
from panscript.readers.rawjson import clean_raw
from panscript.schemas import timestamps
from panscript.schemas.counts import count
from panscript.schemas.droid.lean import Settings
from panscript.schemas.events import NO_RAW, Tokens, Usage
from panscript.schemas.naming import billing_provider, model_name
from panscript.schemas.report import FileReport

__all__ = ["usage_of"]


def usage_of(
    data: bytes, settings: Settings | None, survey: Survey | None, report: FileReport, *, raw: bool = False
) -> Usage | None:
    """What the session was billed; `data` is the settings file, `survey` what its rows say, where there are any."""
    if not data:
        return None
    if settings is None:
        report.skip("invalid_settings_data")
        return None
    spent = settings.token_usage
    if spent is None:
        report.skip("no_token_usage")
        return None
    fresh, output = count(spent.input_tokens), count(spent.output_tokens)
    read, write = count(spent.cache_read_tokens), count(spent.cache_creation_tokens)
    total = fresh + output + read + write
    if not total:
        report.skip("no_token_usage")
        return None
    time = _time(settings, survey)
    if time is None:
        report.skip("invalid_timestamp")
        return None
    model = settings.model or (survey.model or survey.named_model if survey is not None else None)
    return Usage(
        id="usage:settings",
        time=time,
        tokens=Tokens(
            input=fresh,
            output=output,
            reasoning=count(spent.thinking_tokens),
            cache_read=read,
            cache_write=write,
            total=total,
        ),
        model=model_name(model),
        provider=billing_provider(settings.provider_lock),
        raw_provider=settings.provider_lock,
        cwd=survey.cwd if survey is not None else None,
        raw=clean_raw(data.strip(b"\0\xef\xbb\xbf \t\r\n")) if raw else NO_RAW,
    )


def _time(settings: Settings, survey: Survey | None) -> int | None:
    """When the first request was made. A fork has taken that time over from its source: its own first message tells."""
    locked = timestamps.parse(settings.provider_lock_timestamp)
    first = survey.own_time if survey is not None else None
    if survey is not None and survey.copied_to >= 0 and first is not None:
        return first
    return locked if locked is not None else first
