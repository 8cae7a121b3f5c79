"""Secrets that stand beside a name which says so, and are judged together with it: a table, data only."""

from panscript.stages.redaction.names import CORE, KEY, LOOSE, PASSWORD, SECRET, SUFFIX, TOKEN
from panscript.stages.redaction.rule import RAW_BLANK, RAW_CLOSE, RAW_QUOTE, Rule

__all__ = ["PAIRS"]

_RAW_REST = r"[^\s\"'`,;(){}<>|&]"
_STRONG = r"[0-9!@#%^*+~?=-]"
# Wider than the suffixes of names, with few states.
_RAW_SUFFIX = "(?:[_-](?:[A-Za-z]{1,12}(?:[0-9]{2}|[_-][bB][aA][sS][eE])?|[0-9]{1,4})|[0-9]{1,4}|[vV]alue|[sS]tring)?"
_WEAK = rf"(?:{PASSWORD}|{SECRET})"
# The ends of the words that may stand before `key`: fewer states than the words.
_RAW_KEY = r"(?:(?:pi|pp|on|ss|te|et|th|nt|ng|er|ed|oy|se|ac|wt|sh|in|ok|ns)[ _.:-]?key)"
_HARD = rf"(?:{_RAW_KEY}|{TOKEN})"
_RAW_NAME = rf"(?i:(?:{_RAW_KEY}|{PASSWORD}|{SECRET}|{TOKEN}|{LOOSE}){_RAW_SUFFIX})"
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
_SEPARATOR = r"(?:[ \t]{0,40}(?:\*\*)?(?P<sep>:=|={1,3}|=>|:|：)(?:\*\*)?[ \t]{0,40}(?![:=]))"
_ANNOTATED = r"(?:[ \t]{0,8}:[ ]?&?(?:'static )?[A-Za-z_][A-Za-z0-9_.\[\]| ]{0,40}?=[ ]?(?=[fbrFBRL]?[\"'`]))"
_RAW_SEPARATOR = r"(?::=|={1,3}|=>|:|\xef\xbc\x9a|\\uff1a|\\uFF1A)"
_RAW_ANNOTATED = r":[ ]?(?:&|\\u0026)?(?:'static )?[A-Za-z_][A-Za-z0-9_.\[\]| ]{0,40}=[ ]?"
_RAW_BETWEEN = rf"{RAW_CLOSE}{RAW_BLANK}(?:{_RAW_ANNOTATED}|{_RAW_SEPARATOR}){RAW_BLANK}"
_RAW_BEGIN = r"[^\s\"'`<{\[]"
_RAW_FIRST = r"[^\s\"'`,;(){}<>|&\[]"
_RAW_STRONG_SOON = rf"(?:{_RAW_FIRST}[^\s\"'`]{{0,64}})?{_STRONG}"
_RAW_SIGN_SOON = rf"(?:{_RAW_FIRST}[^\s\"'`]{{0,64}})?[0-9!@#%^*+~?&|;$=]"
_RAW_DIGIT_SOON = rf"(?:{_RAW_FIRST}{_RAW_REST}{{0,64}})?[0-9]"
# A word with a digit that has some signs before or after it; the judge asks for a few more.
_RAW_LONG = rf"(?:{_RAW_FIRST}[^\s\"'`]{{0,64}})?(?:[0-9][A-Za-z0-9_~+=-]{{3}}|[A-Za-z0-9_~+=-]{{4}}[0-9])"
_RAW_ARGUMENT = (
    rf"(?:[ \t]|\\{{1,80}}t|=){{1,12}}(?:(?:{_RAW_FIRST}{_RAW_REST}{{0,64}})?[0-9!@#%^*+~?]|{RAW_QUOTE}{_RAW_BEGIN})"
)
_CAPITALS = r"(?:PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|PASS|PW|SECRET)(?:_[A-Z0-9]{1,12})?"
# `is`, `was set to`, `to`, ...: between the name and what it is.
_TOLD = (
    r"(?:[ ](?:is|was)[ ]generated[ ]for[ ][^\s:]{1,80}:[ ]|[ ](?:(?:is|was|has[ ]been)[ ])?(?:(?:re)?set|changed"
    r"|updated)[ ]to:?[ ]"
    r"|[ ](?:is|was)(?:[ ]now)?:?[ ]|[ ]to:?[ ]|[ ]->?[ ]|[ ]value=(?=[\"'])|[ \t]{1,40}(?=[\"'`]))"
)
_RAW_TOLD = r"[ ](?:is|was|has|to|set|reset|changed|updated)(?:[ a-z]{0,60}|[ a-z]{0,60}generated[ ]for[^:]{0,80}):?[ ]"
# The start of a line, perhaps with its number or the sign of a diff.
_LINE = r"(?:(?<=[\r\n])|(?<![\s\S]))(?:[ \t]{0,20}[0-9]{1,6}(?:\t|\u2192|:[ ]?))?[+-]?[ \t]{0,40}"
_RAW_GAP = r"(?:[ \t]|\\{1,80}t){1,60}"

_RAW_OTHER = r"[ ](?:-(?:>|\\u003[eE])?[ ]|value=)"
# One anchor for all forms in which a name tells its value without `:` or `=`.
_RAW_CELL = r"[`*]{0,4}(?:[ \t]|\\{1,80}t){0,60}\|(?:[ \t`*]|\\{1,80}t){0,60}"
_RAW_WEAK_TOLD = (
    rf"(?i:pass(?:word|wd|phrase|wort|code)?|pwd?|psk|secret|masterauth){_RAW_SUFFIX}"
    rf"(?:{_RAW_TOLD}|{_RAW_GAP}|{_RAW_CELL}|{_RAW_OTHER})(?:{RAW_QUOTE})?{_RAW_SIGN_SOON}"
)
_RAW_HARD_TOLD = (
    rf"(?i:token|{_RAW_KEY}|jwt){_RAW_SUFFIX}(?:(?:[ ](?:is|was|to)(?:[ ]now)?:?[ ]|{_RAW_CELL}|{_RAW_OTHER})"
    rf"(?:{RAW_QUOTE})?"
    rf"|{_RAW_GAP}{RAW_QUOTE}){_RAW_LONG}"
)

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
        rf"(?i:name|key|variable|header|selector|field){_IS}#?(?P<name>[A-Za-z0-9_./-]{{0,60}}?(?i:{_NAME}))"
        rf"(?=[\\\"',\s])\\?[\"']?(?:,\s{{0,20}}[\"'][A-Za-z]{{1,20}}[\"']:[ ]?[\"'][A-Za-z0-9_.-]{{0,40}}[\"'])?"
        rf"[ \t]{{0,4}},?\s{{0,40}}(?:[0-9]{{1,6}}[\t\u2192]|[+-])?\s{{0,40}}\\?[\"']?"
        rf"(?i:value){_IS_BEFORE_QUOTE}{_VALUE}",
        (
            # (for JSON, where it is `"name": {"value": ...}`)
            rf"(?i:{_WEAK}{_RAW_SUFFIX})[\\\"']{{1,80}}{RAW_BLANK}:{RAW_BLANK}\{{[^{{}}]{{0,200}}[vV]alue",
            (
                r"(?i:name|key|variable|header|selector|field|element)"
                rf"[\\\"']{{0,80}}{RAW_BLANK}[:=]{RAW_BLANK}[\\\"']{{0,80}}"
                rf"[A-Za-z0-9_./#=\[\\\"'-]{{0,60}}(?:{_RAW_NAME}s?|(?i:cookie))(?:[\\\"', \t\]]|\\[nrt]|[\r\n])"
            ),
        ),
        "pair",
    ),
    Rule(
        "secret-option",
        "command line options whose name says secret",
        rf"(?<![A-Za-z0-9_-])-(?P<name>(?:-[A-Za-z0-9_.-]{{0,40}}?)?(?i:{_SINGULAR}))(?P<flag>[ \t]{{1,4}}|=)"
        rf"{_VALUE}",
        (
            # two, because an automaton finds `--` and `-password` far sooner than whatever begins with `-`
            rf"--[A-Za-z0-9_.-]{{0,60}}{_RAW_NAME}{_RAW_ARGUMENT}",
            rf"-{_RAW_NAME}{_RAW_ARGUMENT}",
            rf"--[A-Za-z0-9_-]{{0,60}}(?:{_RAW_NAME}s?|(?i:cookies?))[\\\"']{{1,80}}{RAW_BLANK},{RAW_BLANK}[\\\"']",
        ),
        "pair",
    ),
    Rule(
        "secret-argument",
        "values beside quoted names in calls and definitions: `define('DB_PASSWORD', '...')`",
        rf"(?P<name>{CORE}(?i:{SUFFIX}s?))(?P<comma>\\?[\"'`\]]{{1,3}}[ \t]{{0,4}},[ \t]{{0,4}}){_QUOTED}",
        (rf"{_RAW_NAME}s?[\\\"'`\]]{{1,80}}{RAW_BLANK},{RAW_BLANK}{RAW_QUOTE}[^\s\"'`]{{0,200}}[0-9]",),
        "pair",
    ),
    Rule(
        "secret-argument",
        "passwords typed into the fields of pages: `get('#password').type('...')`",
        rf"(?P<name>(?i:{_WEAK}{SUFFIX}))(?P<comma>\\?[\"'`\]]{{1,3}}\)\.(?:type|fill|send_?[kK]eys|setValue"
        rf"|val)\(){_QUOTED}",
        (rf"(?i:{_WEAK}){_RAW_SUFFIX}[\\\"'`\]]{{1,80}}\)\.(?:type|fill|send_?[kK]eys|setValue|val)\(",),
        "pair",
    ),
    Rule(
        "told-secret",
        "passwords told in prose: the password is ...",
        rf"(?P<name>{CORE}(?i:{SUFFIX}))(?P<told>{_TOLD}){_VALUE}",
        (_RAW_WEAK_TOLD, _RAW_HARD_TOLD),
        "pair",
    ),
    Rule(
        "told-secret",
        "passwords told in prose: log in with user ... and password ...",
        rf"(?:(?<![A-Za-z])(?i:with|and|user(?:name)?[ ][^\s]{{1,60}})[ ](?:the[ ])?)(?P<name>(?i:{PASSWORD}|pass|pw))"
        rf"(?P<told>[ ]){_VALUE}",
        (_RAW_WEAK_TOLD,),
        "pair",
    ),
    Rule(
        "secret-line",
        "lines of a name and a value, as in .netrc, redis.conf and the tables of command line tools",
        rf"{_LINE}(?P<name>[A-Za-z0-9_.-]{{0,40}}?(?i:{_SINGULAR}))(?P<told>[ \t]{{1,60}})(?P<bare>{_BARE}{{4,4096}})"
        rf"(?=[ \t]*(?:[\r\n]|(?![\s\S])))",
        (
            _RAW_WEAK_TOLD,
            rf"(?i:{_HARD}{_RAW_SUFFIX}){_RAW_GAP}{_RAW_LONG}[^\s\"'`]{{0,200}}[ \t]{{0,40}}(?:[\r\n\"]|\\[nr]|$)",
        ),
        "pair",
    ),
    Rule(
        "secret-setting",
        "variables set by word: `ENV DB_PASSWORD ...`, `setx`, `setenv`",
        rf"(?<![A-Za-z0-9_])(?:ENV|setenv|setx|set[ ]-[a-zA-Z]{{1,3}})[ ]{{1,4}}"
        rf"(?P<name>[A-Z0-9_]{{0,60}}?(?:PASS(?:WORD|WD|PHRASE|CODE)?|PWD?|SECRET|KEY|TOKEN|AUTH)"
        rf"(?:_[A-Z0-9]{{1,12}})?)"
        rf"(?P<set>[ \t]{{1,8}}){_VALUE}",
        (
            (
                r"(?:ENV|setenv|setx|set[ ]-[a-zA-Z]{1,3})[ ]{1,4}[A-Z0-9_]{0,60}(?:PASS|PW|SECRET|KEY|TOKEN"
                r"|AUTH)[A-Z0-9_]{0,20}"
                rf"{_RAW_GAP}(?:{_RAW_FIRST}|{RAW_QUOTE}{_RAW_BEGIN})"
            ),
        ),
        "pair",
    ),
    Rule(
        "secret-setting",
        "settings made by word: `config set db.password ...`",
        r"(?<![A-Za-z0-9_])(?:set|add|put)[ ](?:--?[a-z-]{1,20}[ ]){0,3}"
        rf"(?P<name>[A-Za-z0-9_./:-]{{0,60}}?(?i:(?:{_WEAK}|pass|pw){SUFFIX}))(?P<told>[ ]{{1,4}}){_VALUE}",
        (_RAW_WEAK_TOLD,),
        "pair",
    ),
    Rule(
        "secret-cell",
        "table rows of a name and a value: `| password | ... |`",
        rf"(?P<name>{CORE}(?i:{SUFFIX}))(?P<told>[`*]{{0,4}}[ \t]{{1,40}}\|[ \t]{{1,40}}\*{{0,2}}){_VALUE}"
        r"[`*]{0,4}[ \t]{0,40}(?=\|)",
        (_RAW_WEAK_TOLD, _RAW_HARD_TOLD),
        "pair",
    ),
    Rule(
        "secret-value",
        "values of names that say secret, in code, configuration, headers and JSON",
        rf"(?P<name>{CORE}(?i:{SUFFIX}s?))(?P<close>\\?[\"'`]?\]?)(?:{_ANNOTATED}|{_SEPARATOR})(?:[fbrFBRL@]"
        rf"(?=[\\\"'`]))?"
        rf"{_VALUE}",
        (
            # a password may be anything between quotes, but needs a digit or a sign or many letters without them
            (
                rf"(?i:{_WEAK}{_RAW_SUFFIX}s?){_RAW_BETWEEN}(?:[fbrFBRL@]?{RAW_QUOTE}{_RAW_BEGIN}|{_RAW_STRONG_SOON}"
                rf"|[a-z]{{12}}|\[)"
            ),
            rf"(?i:{_WEAK}{_RAW_SUFFIX}s?|[?&;](?:pass|pw|auth))=[A-Za-z]{{6}}",
            # names in capitals
            rf"{_CAPITALS}(?:={_RAW_FIRST}{_RAW_REST}{{2}}|{RAW_BLANK}:{RAW_BLANK}[a-z]{{8}})",
            # keys and tokens
            rf"(?i:(?:{_HARD}|{LOOSE}){_RAW_SUFFIX}s?){_RAW_BETWEEN}[fbrFBRL@]?{RAW_QUOTE}[^\s\"'`\[][^\s\"'`]{{5}}",
            rf"(?i:{_HARD}{_RAW_SUFFIX})\]?{RAW_BLANK}{_RAW_SEPARATOR}{RAW_BLANK}{_RAW_DIGIT_SOON}",
            rf"(?i:{LOOSE}{_RAW_SUFFIX}s?)={_RAW_STRONG_SOON}",
            rf"(?:^|[^A-Za-z]|\\[nrt])(?:pass|psk){RAW_BLANK}[:=]{RAW_BLANK}{_RAW_DIGIT_SOON}",
            # lists
            rf"(?i:(?:{_HARD}|{LOOSE}|cookie){_RAW_SUFFIX}s?)[\\\"']{{1,80}}{RAW_BLANK}:{RAW_BLANK}\[",
        ),
        "pair",
    ),
    Rule(
        "kubernetes-secret",
        "data of Kubernetes secrets",
        r"(?<![A-Za-z])kind:[ ]{1,4}[\"']?Secret[\"']?(?=\s|(?![\s\S]))",
        (r"kind[\\\"']{0,80}:[ ]{0,40}[\\\"']{0,80}Secret",),
        "block",
    ),
    Rule(
        "secret-column",
        "columns of tables whose head says secret",
        rf"{_LINE}(?P<head>[^\r\n]{{0,200}}?(?i:{_WEAK}{SUFFIX})[^\r\n]{{0,200}})\r?\n"
        r"(?=(?:[ \t]{0,20}[0-9]{1,6}(?:\t|\u2192|:[ ]?))?[+>]?[ \t|:+-]{0,200}--[ \t|:+-]{0,200}[\r\n])",
        (
            (
                rf"(?i:{_WEAK}{_RAW_SUFFIX})[^\r\n\\\"]{{0,200}}(?:[\r\n]|\\{{1,80}}[nr]){{1,20}}"
                r"[ 0-9\\t|:+>-]{0,80}--"
            ),
        ),
        "block",
    ),
    Rule(
        "sql-insert",
        "passwords among the values of an INSERT",
        r"(?i:insert[ ]into)[ ][^\s()]{1,100}[ ]?\((?P<columns>[^()]{1,400})\)\s{0,20}(?i:values)\s{0,20}\("
        r"(?P<values>[^()\r\n]{1,800})\)",
        (rf"(?i:insert[ ]into)[^()]{{0,120}}\([^()]{{0,400}}(?i:{_WEAK}|{_HARD})[^()]{{0,400}}\)",),
        "block",
    ),
)
