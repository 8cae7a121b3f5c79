"""Secrets that stand beside a name which says so, and are judged together with it: a table, data only."""

from panscript.stages.redaction.names import CORE, KEY, LOOSE, PASSWORD, SECRET, SUFFIX, TOKEN
from panscript.stages.redaction.rule import RAW_BLANK, RAW_CLOSE, RAW_QUOTE, Rule

__all__ = ["PAIRS"]

_RAW_REST = r"[^\s\"'`,;(){}<>|&]"
_STRONG = r"[0-9!@#%^*+~?=-]"
# Any short suffix will do for the gate: few states, and names with other suffixes are rare before such values.
_RAW_SUFFIX = "(?:[_-](?:[A-Za-z]{1,9}[A-Za-z0-9_-]{0,4}|[0-9]{1,4})|[0-9]{1,4})?"
_WEAK = rf"(?:{PASSWORD}|{SECRET})"
_HARD = rf"(?:{KEY}|{TOKEN})"
_RAW_NAME = rf"(?i:(?:{KEY}|{PASSWORD}|{SECRET}|{TOKEN}|{LOOSE}){_RAW_SUFFIX})"
_SINGULAR = rf"(?:{KEY}|{PASSWORD}|{SECRET}|{TOKEN}|{LOOSE}){SUFFIX}"
_NAME = rf"{_SINGULAR}s?"
# What an unquoted value may consist of; it ends where a script without word spaces begins.
_BARE = (
    r"(?:[^\s\x1b\"'`,;()\[\]{}<>|&\\\u2018-\u201f\u2e80-\u9fff\uac00-\ud7af\uff00-\uffef\U0001f000-\U0001ffff]"
    r"|\\(?![nrtbfu\"'\\/]))"
)
# A quoted value with white space in it is a sentence, not a secret: it ends there and is judged by what follows it.
_QUOTED = (
    r"(?:\"(?P<dq>(?:[^\"\\\s]|\\[^\s]){1,20000})|'(?P<sq>(?:[^'\\\s]|\\[^\s]){1,20000})|`(?P<bt>[^`\s]{1,20000}))"
)
_VALUE = rf"(?:{_QUOTED}|(?P<bare>{_BARE}{{3,4096}}))"
_IS_BEFORE_QUOTE = r"\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}"
_IS = rf"{_IS_BEFORE_QUOTE}\\?[\"']?"
# (** is bold in Markdown)
_SEPARATOR = r"(?:[ \t]{0,8}(?:\*\*)?(?P<sep>:=|={1,3}|=>|:|：)(?:\*\*)?[ \t]{0,8}(?![:=]))"
_ANNOTATED = r"(?:[ \t]{0,8}:[ ]?[A-Za-z_][A-Za-z0-9_.\[\]| ]{0,40}?=[ ]?(?=[fbrFBRL]?[\"'`]))"
_RAW_SEPARATOR = r"(?::=|={1,3}|=>|:|\xef\xbc\x9a|\\uff1a|\\uFF1A)"
_RAW_ANNOTATED = r":[ ]?[A-Za-z_][A-Za-z0-9_.\[\]| ]{0,40}=[ ]?"
_RAW_BETWEEN = rf"{RAW_CLOSE}{RAW_BLANK}(?:{_RAW_ANNOTATED}|{_RAW_SEPARATOR}){RAW_BLANK}"
_RAW_BEGIN = r"[^\s\"'`<{\[]"
_RAW_FIRST = r"[^\s\"'`,;(){}<>|&\[]"
_RAW_STRONG_SOON = rf"(?:{_RAW_FIRST}{_RAW_REST}{{0,64}})?{_STRONG}"
_RAW_DIGIT_SOON = rf"(?:{_RAW_FIRST}{_RAW_REST}{{0,64}})?[0-9]"
_RAW_ARGUMENT = (
    rf"(?:[ \t]|\\{{1,80}}t|=){{1,12}}(?:(?:{_RAW_FIRST}{_RAW_REST}{{0,64}})?[0-9!@#%^*+~?]|{RAW_QUOTE}{_RAW_BEGIN})"
)
_CAPITALS = r"(?:PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|PASS|SECRET)(?:_[A-Z0-9]{1,12})?="

PAIRS: tuple[Rule, ...] = (
    Rule(
        "secret-element",
        "XML elements whose name says secret",
        rf"<(?P<name>[A-Za-z0-9_.:-]{{0,40}}?(?i:{_NAME}))>(?P<dq>[^<>\s\"']{{3,500}})</",
        (
            rf"(?i:{_WEAK}{_RAW_SUFFIX}s?)(?:>|\\u003[eE])[^\s<>\"']{{3}}",
            rf"(?i:(?:{_HARD}|{LOOSE}){_RAW_SUFFIX})(?:>|\\u003[eE])[^\s<>\"']{{8}}",
        ),
        "pair",
    ),
    Rule(
        "secret-entry",
        "entries of a list of names and values (`name: DB_PASSWORD`, `value: ...`)",
        rf"(?i:name|key|variable|header){_IS}(?P<name>[A-Za-z0-9_.-]{{0,60}}?(?i:{_NAME}))"
        rf"(?=[\\\"',\s])\\?[\"']?[ \t]{{0,4}},?\s{{0,40}}\\?[\"']?(?i:value){_IS_BEFORE_QUOTE}{_VALUE}",
        (
            (
                rf"(?i:name|key|variable|header)[\\\"']{{0,80}}{RAW_BLANK}[:=]{RAW_BLANK}[\\\"']{{0,80}}"
                rf"[A-Za-z0-9_.-]{{0,60}}(?:{_RAW_NAME}s?|(?i:cookie))(?:[\\\"', \t]|\\[nrt]|[\r\n])"
            ),
        ),
        "pair",
    ),
    Rule(
        "secret-option",
        "command line options whose name says secret",
        rf"(?<![A-Za-z0-9_-])-(?P<name>(?:-[A-Za-z0-9-]{{0,40}}?)?(?i:{_SINGULAR}))(?P<flag>[ \t]{{1,4}}|=)"
        rf"{_VALUE}",
        (
            # two, because an automaton finds `--` and `-password` far sooner than whatever begins with `-`
            rf"--[A-Za-z0-9-]{{0,60}}{_RAW_NAME}{_RAW_ARGUMENT}",
            rf"-{_RAW_NAME}{_RAW_ARGUMENT}",
            rf"--[A-Za-z0-9_-]{{0,60}}(?:{_RAW_NAME}s?|(?i:cookies?))[\\\"']{{1,80}}{RAW_BLANK},{RAW_BLANK}[\\\"']",
        ),
        "pair",
    ),
    Rule(
        "secret-argument",
        "values beside quoted names in calls and definitions: `define('DB_PASSWORD', '...')`",
        rf"(?P<name>{CORE}(?i:{SUFFIX}s?))(?P<comma>\\?[\"'`][ \t]{{0,4}},[ \t]{{0,4}}){_QUOTED}",
        (rf"{_RAW_NAME}s?[\\\"'`]{{1,80}}{RAW_BLANK},{RAW_BLANK}{RAW_QUOTE}[^\s\"'`]{{0,200}}[0-9]",),
        "pair",
    ),
    Rule(
        "told-secret",
        "passwords told in prose: the password is ...",
        rf"(?P<name>{CORE}(?i:{SUFFIX}))[ ](?:is|was):?[ ]{_VALUE}",
        (
            (
                rf"(?i:pass(?:word|wd|phrase|wort|code)?|pwd|secret|token|key|jwt){_RAW_SUFFIX}[ ](?:is|was):?[ ]"
                rf"(?:{_RAW_STRONG_SOON}|{RAW_QUOTE}{_RAW_BEGIN})"
            ),
        ),
        "pair",
    ),
    Rule(
        "secret-value",
        "values of names that say secret, in code, configuration, headers and JSON",
        rf"(?P<name>{CORE}(?i:{SUFFIX}s?))(?P<close>\\?[\"'`]?\]?)(?:{_ANNOTATED}|{_SEPARATOR})[fbrFBRL@]?"
        rf"{_VALUE}",
        (
            # quoted values
            rf"(?i:{_WEAK}{_RAW_SUFFIX}s?){_RAW_BETWEEN}[fbrFBRL@]?{RAW_QUOTE}{_RAW_BEGIN}",
            rf"(?i:(?:{_HARD}|{LOOSE}){_RAW_SUFFIX}s?){_RAW_BETWEEN}[fbrFBRL@]?{RAW_QUOTE}[^\s\"'`\[][^\s\"'`]{{7}}",
            # lists
            rf"(?i:(?:{_WEAK}|{_HARD}|{LOOSE}|cookie){_RAW_SUFFIX}s?)[\\\"']{{1,80}}{RAW_BLANK}:{RAW_BLANK}\[",
            # unquoted values need a digit or a sign, or a name in capitals close to its value
            rf"(?i:{_WEAK}{_RAW_SUFFIX}s?)\]?{RAW_BLANK}{_RAW_SEPARATOR}{RAW_BLANK}{_RAW_STRONG_SOON}",
            rf"(?i:{_HARD}{_RAW_SUFFIX})\]?{RAW_BLANK}{_RAW_SEPARATOR}{RAW_BLANK}{_RAW_DIGIT_SOON}",
            rf"(?i:{LOOSE}{_RAW_SUFFIX}s?)={_RAW_STRONG_SOON}",
            rf"(?:^|[^A-Za-z]|\\[nrt])pass{RAW_BLANK}:{RAW_BLANK}{_RAW_DIGIT_SOON}",
            rf"{_CAPITALS}{_RAW_FIRST}{_RAW_REST}{{2}}",
        ),
        "pair",
    ),
)
