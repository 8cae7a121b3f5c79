"""Secrets that are known by what stands around them: a table, data only."""

from panscript.stages.redaction.rule import RAW_BLANK, RAW_CLOSE, Rule

__all__ = ["PLACES", "SCHEMES"]

SCHEMES = r"(?i:bearer|basic|token|api[-_]?key|digest|bot|ssws|key|genie[-_]?key|splunk|pat|oauth)"
_PLACE_VALUE = r"[^\s\x1b\"'`,;<>()\[\]{}|&$\\]"

_HEADER = r"\\?[\"']?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\?[\"']?"
_COOKIE_NAME = r"[A-Za-z0-9_.$%-]{1,80}"
_COOKIE = rf"{_COOKIE_NAME}=[^\s\x1b;\"'`<>{{}}\\]{{6,}}"
_RAW_HEADER = rf"{RAW_CLOSE}{RAW_BLANK}[:=,]{RAW_BLANK}>?{RAW_BLANK}[fbrF]?\\{{0,80}}[\"'`]?"
_RAW_COOKIE = rf"(?i:cookie[s2]?){_RAW_HEADER}{_COOKIE_NAME}=[^\s;\"'`<>{{}}]{{6}}"

PLACES: tuple[Rule, ...] = (
    Rule(
        "authorization",
        "Authorization and Proxy-Authorization headers",
        rf"(?i:authorization)\\?[\"']?\]?[ \t]{{0,4}}(?:[:=,]|=>)[ \t]{{0,4}}(?:[fbrF]?\\?[\"'`])?{SCHEMES}[ \t]+"
        rf"(?P<secret>{_PLACE_VALUE}{{6,}})",
        (rf"(?i:authorization){_RAW_HEADER}{SCHEMES}",),
        "place",
    ),
    Rule(
        "bearer",
        "bearer tokens outside a header",
        r"(?i:bearer)[ \t]{1,4}(?P<secret>(?=[A-Za-z._~+/=-]{0,48}[0-9])[A-Za-z0-9._~+/=-]{12,})",
        (r"(?i:bearer)(?:[ \t\\]|\\t){1,80}[A-Za-z._~+/=\\-]{0,64}[0-9]",),
        "place",
    ),
    Rule(
        "cookie",
        "Cookie headers",
        rf"(?i:(?<![A-Za-z-])cookie){_HEADER}(?P<secret>{_COOKIE}(?:;[ \t]?{_COOKIE_NAME}=[^\s\x1b;\"'`<>{{}}\\]*)*)",
        (_RAW_COOKIE,),
        "place",
    ),
    Rule(
        "set-cookie",
        "values of cookies in Set-Cookie headers",
        rf"(?i:set-cookie2?){_HEADER}{_COOKIE_NAME}=(?P<secret>[^\s\x1b;\"'`<>{{}}\\]{{6,}})",
        (_RAW_COOKIE,),
        "place",
    ),
    Rule(
        "url-password",
        "passwords in addresses and connection strings",
        r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'`<>]{0,200}:(?P<secret>[^\s\x1b/@\"'`<>]{1,500})@(?=[A-Za-z0-9\[_$%{-])",
        (r":\\*/\\*/[^\s/:@\"'`<>]{0,400}:[^\s/@\"'`<>]{1,1000}@",),
        "place",
    ),
    Rule(
        "url-token",
        "tokens that stand for the user in addresses",
        r"(?i:https?)://(?P<secret>(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,200})@(?=[A-Za-z0-9])",
        (r":\\*/\\*/[A-Za-z0-9_-]{20,200}@",),
        "place",
    ),
    Rule(
        "signed-url",
        "signatures of presigned addresses",
        r"[?&;](?:sig|(?i:X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|Signature))="
        r"(?P<secret>[A-Za-z0-9%+/_~-]{24,}={0,2})",
        (r"(?:[?&;]|\\u0026)(?:sig|(?i:x-amz-signature|x-amz-security-token|x-goog-signature|signature))=",),
        "place",
    ),
    Rule(
        "curl-user",
        "`-u user:password` of curl and its like",
        r"(?<![A-Za-z0-9-])(?:-u|--user|--proxy-user|-U)(?:[ \t]{1,4}|=)\\?[\"']?[^\s:\"'`$<>\\]{1,100}:"
        r"(?P<secret>[^\s\x1b\"'`<>\\]{3,200})",
        (
            (
                rf"(?:-u|--user|--proxy-user|-U)(?:[ \t\\]|\\t|=|[\\\"']{{1,80}}{RAW_BLANK},{RAW_BLANK}){{1,80}}"
                r"\\{0,80}[\"']?[^\s:\"'`$<>]{1,100}:[^\s\"'`<>]"
            ),
        ),
        "place",
    ),
    Rule(
        "netrc",
        "passwords in .netrc files",
        r"login[ \t\r\n]{1,8}[^\s\"']{1,100}[ \t\r\n]{1,12}password[ \t]{1,4}(?P<secret>[^\s\x1b\"'\\]{3,200})",
        (r"login(?:[\s\\]|\\[nrt]){1,80}[^\s\"']{1,200}(?:[\s\\]|\\[nrt]){1,80}password",),
        "place",
    ),
    Rule(
        "sql-password",
        "passwords in SQL statements",
        r"(?i:identified[ \t]{1,4}by|password)[ \t]{1,4}'(?P<secret>[^'\s]{3,200})'",
        (r"(?i:identified[ \t]{1,4}by|password)[ \t]{1,4}'[^'\s]{3}",),
        "place",
    ),
    Rule(
        "cli-password",
        "passwords glued to the options of well-known commands, or piped into them",
        r"(?:\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&\"']{0,200}?[ ]-p|\bsshpass[ ]+-p[ ]*\\?[\"']?"
        r"|\bredis-cli\b[^\n|;&\"']{0,200}?[ ]-a[ ]+\\?[\"']?|\bdocker[ ]+login\b[^\n|;&\"']{0,200}?[ ]-p[ ]+\\?[\"']?"
        r"|[ ]-pass(?:in|out)?[ ]+\\?[\"']?pass:"
        r"|\baws[ ]+configure[ ]+set[ ]+[A-Za-z0-9_.]{0,60}_(?:access_key|token)[ ]+"
        r"|\becho[ ]+(?:-n[ ]+)?\\?[\"']?(?=[^\n|]{3,200}\|[^\n|]{1,200}(?:[ ]--password-stdin|\bsudo[ ]+-S)))"
        r"(?P<secret>[^\s\"'`\\;|&<>$-][^\s\x1b\"'`\\;|&<>]{2,200})",
        (
            r"(?:mysql|mysqldump|mysqladmin|mariadb)[^\n|;&\"']{0,300}[ ]-p[^\s\"'`;|&<>$-]",
            r"sshpass[ ]+-p",
            r"redis-cli[^\n|;&\"']{0,300}[ ]-a[ ]",
            r"docker[ ]+login[^\n|;&\"']{0,300}[ ]-p[ ]",
            r"[ ]-pass(?:in|out)?[ ]+\\{0,80}[\"']?pass:",
            r"aws[ ]+configure[ ]+set[ ]",
            r"[ ]--password-stdin",
            r"sudo[ ]+-S",
        ),
        "place",
    ),
)
