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
        r"[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s/:@\"'`<>]{0,200}:(?P<secret>[^\s\x1b/@\"'`<>]{1,500})@"
        r"(?=[A-Za-z0-9\[_$%{-])",
        (r":\\*/\\*/[^\s/:@\"'`<>]{0,400}:[^\s/@\"'`<>]{1,1000}@",),
        "place",
    ),
    Rule(
        "url-token",
        "tokens that stand for the user in addresses",
        r"(?i:https?)://(?P<secret>(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,200})@(?=[A-Za-z0-9])",
        (r":\\*/\\*/[A-Za-z0-9_-]{20}[A-Za-z0-9_-]{0,180}@",),
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
        r"(?i:identified[ \t]{1,4}(?:with[ \t]{1,4}[^\s]{1,60}[ \t]{1,4})?by(?:[ \t]{1,4}password)?"
        r"|(?:encrypted|with|role|user|login)[ \t]{1,4}password|=[ \t]{0,4}password[ \t]{0,4}\()[ \t]{0,4}=?[ \t]{0,4}"
        r"(?:'(?P<secret>[^'\r\n]{3,200})'|\"(?P<secret2>[^\"\\\r\n]{3,200})\")"
        r"|(?i:password)[ \t]{1,4}'(?P<secret3>[^'\s]{3,200})'",
        (
            r"(?i:identified[ \t]{1,4}[^\r\n]{0,80}by)[ \t]{1,4}(?:password)?[ \t]{0,40}\\{0,80}[\"'][^\"'\r\n]{3}",
            (
                r"(?i:(?:encrypted|with|role|user|login)[ \t]{1,4}password"
                r"|=[ \t]{0,4}password[ \t]{0,4}\()[ \t]{0,4}=?[ \t]{0,4}"
                r"\\{0,80}[\"'][^\"'\r\n]{3}"
            ),
            r"(?i:password)[ \t]{1,4}'[^'\s]{3}",
        ),
        "place",
    ),
    Rule(
        "dsn-password",
        "passwords in data source names that are no addresses",
        r"(?<![A-Za-z0-9_.-])[A-Za-z0-9_.-]{1,60}:(?P<secret>[^\s\x1b\"'`<>@/]{3,200})@(?:tcp|unix|udp)\("
        r"|:oracle:thin:[A-Za-z0-9_.-]{1,60}/(?P<secret2>[^\s\x1b\"'`<>@]{3,200})@",
        (
            r"@(?:tcp|unix|udp)\(",
            r":oracle:thin:[A-Za-z0-9_.-]{1,60}\\{0,80}/",
        ),
        "place",
    ),
    Rule(
        "pgpass",
        "passwords in .pgpass files",
        r"(?:localhost|\*|[A-Za-z0-9_-]{1,60}(?:\.[A-Za-z0-9_-]{1,60}){1,8}):(?:5[0-9]{3}|6[0-9]{3}|25[0-9]{3}|\*)"
        r":(?:\*|[A-Za-z][A-Za-z0-9_-]{0,62}):(?:\*|[A-Za-z][A-Za-z0-9_.-]{0,62}):"
        r"(?P<secret>[^\s\x1b\"'`:]{4,200})(?=\s|(?![\s\S]))",
        (
            (
                r":(?:[56][0-9]{3}|25[0-9]{3}|\*):(?:\*|[A-Za-z][A-Za-z0-9_-]{0,62}):(?:\*"
                r"|[A-Za-z][A-Za-z0-9_.-]{0,62}):[^\s\"'`:]{4}"
            ),
        ),
        "place",
    ),
    Rule(
        "credential-call",
        "a user and a password given to a call that takes them: `basic_auth('ann', '...')`",
        r"(?:(?i:basic_?auth|digest_?auth|passwordcredentials|networkcredential|passwordauthentication)\(?[ ]?"
        r"|\bauth=\("
        r"|\b(?:new[ ]PDO|getConnection)\([^()\r\n]{1,300}?,[ ]?)"
        r"(?P<quote>[\"'])[^\"'\\\s]{1,100}(?P=quote)[ ]?,[ ]?(?:Some\()?\\?[\"'](?P<secret>[^\"'\s\\]{4,200})"
        r"(?=\\?[\"'])",
        (
            (
                r"(?i:basic_?auth|digest_?auth|passwordcredentials|networkcredential"
                r"|passwordauthentication)\(?[ ]?\\{0,80}[\"'][^\"'\\\s]{1,100}\\{0,80}[\"'][ ]?,"
            ),
            r"auth=\(\\{0,80}[\"'][^\"'\\\s]{1,100}\\{0,80}[\"'][ ]?,",
            r"(?:new[ ]PDO|getConnection)\([^()\r\n]{1,300},[ ]?\\{0,80}[\"'][^\"'\\\s]{1,100}\\{0,80}[\"'][ ]?,",
        ),
        "place",
    ),
    Rule(
        "twilio-auth",
        "auth tokens beside the ids of Twilio accounts",
        r"(?<![A-Za-z0-9])AC[0-9a-f]{32}[\"']?(?:[ ]?[,:][ ]?)[\"']?(?P<secret>[0-9a-f]{32})(?![A-Za-z0-9])",
        (r"AC[0-9a-f]{32}(?:[\\\"']{0,80}[ ]?[,:])",),
        "place",
    ),
    Rule(
        "told-password",
        "passwords told in prose before the word: use ... as the password",
        r"(?<![A-Za-z])(?i:use|using|try|with|set)[ ][\"'`]?(?P<secret>"
        r"(?=[^\s]{0,60}[0-9])[^\s\x1b\"'`<>,;]{6,100})[\"'`]?[ ]as[ ]"
        r"(?:(?:the|my|your|a|its)[ ])?(?:[a-z]{2,12}[ ])?(?i:password|passphrase)(?![A-Za-z])",
        (r"[0-9][^\s]{0,100}[ ]as[ ](?:(?:the|my|your|a|its)[ ])?(?:[a-z]{2,12}[ ])?(?i:password|passphrase)",),
        "place",
    ),
    Rule(
        "account-password",
        "passwords after the mail address they belong to",
        r"(?<![A-Za-z0-9_.+-])[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]{1,60}(?:\.[A-Za-z0-9-]{1,60}){1,6}[ ]/[ ]"
        r"(?P<secret>(?=[^\s]{0,60}[0-9])(?=[^\s]{0,60}[A-Za-z])[^\s\x1b\"'`<>\\,;)]{6,100})",
        (r"@[A-Za-z0-9-]{1,60}\.[A-Za-z0-9.-]{1,200}[ ]\\{0,80}/[ ][^\s]{0,60}[0-9]",),
        "place",
    ),
    Rule(
        "password-abroad",
        "passwords after the word for it in other languages",
        r"(?i:mot[ ]de[ ]passe|contraseña|contrasena|senha|пароль|密码|密碼|パスワード|비밀번호|kennwort|wachtwoord)"
        r"[\"'`*]{0,4}[ ]{0,2}[:：=][ ]{0,4}[*]{0,2}[\"'`]?(?P<secret>"
        r"(?=[^\s]{0,60}[0-9])[^\s\x1b\"'`<>\\,;，。)]{6,200})",
        (
            (
                r"(?i:mot[ ]de[ ]passe|contrase(?:\xc3\xb1|\\u00[fF]1|n)a|senha|kennwort"
                r"|wachtwoord)[\\\"'`*]{0,80}[ ]{0,2}(?:[:=]|\xef\xbc\x9a|\\uff1a|\\uFF1A)"
            ),
            (
                r"(?:\xd0\xb0\xd1\x80\xd0\xbe\xd0\xbb\xd1\x8c|\xd0\x90\xd0\xa0\xd0\x9e\xd0\x9b\xd0\xac"
                r"|\xe5\xaf\x86\xe7\xa0\x81|\xe5\xaf\x86\xe7\xa2\xbc"
                r"|\xe3\x83\xaf\xe3\x83\xbc\xe3\x83\x89|\xeb\xb2\x88\xed\x98\xb8)[\\\"'`*]{0,80}[ ]{0,2}(?:[:=]"
                r"|\xef\xbc\x9a|\\uff1a|\\uFF1A)"
            ),
            (
                r"(?i:\\u0440\\u043e\\u043b\\u044c|\\u0420\\u041e\\u041b\\u042c|\\u5bc6\\u7801|\\u5bc6\\u78bc"
                r"|\\u30ef\\u30fc\\u30c9|\\ubc88\\ud638)"
                r"[\\\"'`*]{0,80}[ ]{0,2}(?:[:=]|\xef\xbc\x9a|\\uff1a|\\uFF1A)"
            ),
        ),
        "place",
    ),
    Rule(
        "cli-password",
        "passwords glued to the options of well-known commands, or piped into them",
        r"(?:\b(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&\"']{0,200}?[ ]-p|\bsshpass[ ]+-p[ ]*\\?[\"']?"
        r"|\bredis-cli\b[^\n|;&\"']{0,200}?[ ]-a[ ]+\\?[\"']?|\bdocker[ ]+login\b[^\n|;&\"']{0,200}?[ ]-p[ ]+\\?[\"']?"
        r"|[ ]-pass(?:in|out)?[ ]+\\?[\"']?pass:"
        r"|\b(?:mongo|mongosh|mongodump|mongorestore|az)\b[^\n|;&]{0,200}?[ ]-p[ ]+\\?[\"']?|\bsqlcmd\b[^\n"
        r"|;&]{0,200}?[ ]-P[ ]*\\?[\"']?"
        r"|\bzip[ ]+(?:-[a-zA-Z]+[ ]+)*-P[ ]+\\?[\"']?|\b7za?[ ][^\n|;&]{0,100}?-p\\?[\"']?|\bhttps?[ ]+(?:-a"
        r"|--auth)[ ]+[^\s:\"']{1,60}:"
        r"|(?<=[\n\t>$])[ ]?AUTH[ ]+(?=[^\s]{0,60}[0-9])|\brequirepass[ ]+\\?[\"']?"
        r"|\becho[ ]+\\?[\"']?[A-Za-z0-9_.-]{1,60}:(?=[^\n|]{3,200}\|[^\n|]{0,40}chpasswd)"
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
            r"(?:mongo|mongosh|mongodump|mongorestore|az)[ ][^\n|;&]{0,300}[ ]-p[ ]",
            r"sqlcmd[^\n|;&]{0,300}[ ]-P",
            r"zip[ ]+(?:-[a-zA-Z]+[ ]+)*-P[ ]",
            r"7za?[ ][^\n|;&]{0,100}-p[^\s]{3}",
            r"[ ](?:-a|--auth)[ ]+[^\s:\"']{1,60}:",
            r"(?:^|[\r\n\t >$]|\\[nrt])AUTH[ ]+[^\s]{0,60}[0-9]",
            r"requirepass[ ]+",
            r"\|[^\n|]{0,40}chpasswd",
            r"[ ]--password-stdin",
            r"sudo[ ]+-S",
        ),
        "place",
    ),
    Rule(
        "cli-passphrase",
        "passphrases between quotes after the options of well-known commands",
        r"(?:\bssh-keygen\b[^\n|;&]{0,200}?[ ]-[NP][ ]+|[ ]--(?:passphrase|password)[ =])'(?P<secret>[^'\r\n]{4,200})'"
        r"|(?:\bssh-keygen\b[^\n|;&]{0,200}?[ ]-[NP][ ]+|[ ]--(?:passphrase|password)[ =])\""
        r"(?P<secret2>[^\"$\\\r\n]{4,200})\"",
        (
            r"ssh-keygen[ ][^\n|;&]{0,300}-[NP][ ]+\\{0,80}[\"'][^\"'$]",
            r"[ ]--(?:passphrase|password)[ =]\\{0,80}[\"'][^\"'$]",
        ),
        "place",
    ),
)
