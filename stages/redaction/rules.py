"""The kinds of secrets: one table, data only.

A rule's `pattern` (Python `re`, ASCII classes) runs over decoded text. What is replaced is the group `secret`, or the
last group that took part, or the whole match. Its `anchors` run over raw bytes, which may be JSON text, escaped once
or more: they use what every multi-pattern engine understands (no look-around, no back-reference) and must fire on
whatever the pattern could match. Letters, digits and `_-.:=+@` are never escaped by a JSON writer other than as
`\\u00XX`, and such spellings make the gate fire on their own; quotes, slashes and white space may have backslashes
before them. A rule without anchors is always searched for.

Kinds: `format` is known by its own shape, wherever it stands; `place` by what stands around it; `pair` by a name that
says secret and is judged together with the value.
"""

from typing import Literal

import msgspec

from panscript.stages.redaction.names import CORE, KEY, LOOSE, PASSWORD, SECRET, SUFFIX, TOKEN

__all__ = ["ESCAPED_LETTER", "RULES", "SCHEMES", "Rule"]


class Rule(msgspec.Struct, frozen=True):
    """One kind of secret."""

    name: str
    description: str
    pattern: str
    anchors: tuple[str, ...] = ()
    kind: Literal["format", "place", "pair"] = "format"


# `\u0041`, but not the `\u0026 \u003c \u003e` of writers that escape for HTML, which no anchor contains.
ESCAPED_LETTER = r"\\u00(?:2[0-57-9a-fA-F]|3[0-9abdfABDF]|[4-7][0-9a-fA-F])"

# Not inside a word. In raw text a word may also begin after `\n` or `\u2192`.
_LEFT = r"(?<![A-Za-z0-9])"
_RIGHT = r"(?![A-Za-z0-9])"
_RAW_LEFT = r"(?:^|[^A-Za-z0-9]|\\[nrtbf]|\\u[0-9A-Fa-f]{4})"
_WORD = "[A-Za-z0-9]"
_URL64 = "[A-Za-z0-9_-]"
_B64 = "[A-Za-z0-9+/]"
_HEX = "[0-9a-f]"


def _prefixed(name: str, description: str, prefix: str, characters: str, least: int) -> Rule:
    """A key that begins with `prefix` and goes on with at least `least` of `characters`."""
    raw = characters.replace("/", "/\\\\") if "/" in characters else characters
    return Rule(
        name, description, f"{_LEFT}{prefix}{characters}{{{least},}}={{0,2}}", (_anchor(prefix, raw, min(least, 12)),)
    )


def _exact(name: str, description: str, prefix: str, characters: str, count: int) -> Rule:
    """A key of exactly `count` characters after `prefix`."""
    return Rule(
        name, description, f"{_LEFT}{prefix}{characters}{{{count}}}{_RIGHT}", (_anchor(prefix, characters, count),)
    )


def _anchor(prefix: str, characters: str, count: int) -> str:
    # Prefixes of letters and digits alone also occur in the middle of base64.
    left = "" if any(sign in prefix for sign in "_-./") and "[A-Z]" not in prefix else _RAW_LEFT
    return f"{left}{prefix}{characters}{{{count}}}"


_MODEL_KEYS = (
    _prefixed("anthropic-key", "Anthropic API and OAuth keys", "sk-ant-", _URL64, 16),
    _prefixed("openrouter-key", "OpenRouter keys", "sk-or-", _URL64, 16),
    _prefixed("openai-key", "OpenAI project, service account and admin keys", "sk-(?:proj|svcacct|admin)-", _URL64, 16),
    _prefixed("langsmith-key", "LangSmith keys", "lsv2_(?:pt|sk)_", _URL64, 20),
    _prefixed("langfuse-key", "Langfuse secret keys", "sk-lf-", _URL64, 16),
    Rule(
        "sk-key",
        "keys of OpenAI and of the many services that copied their form",
        r"(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]{0,64}[0-9])(?=[A-Za-z0-9_-]{0,64}?[A-Za-z0-9]{12})[A-Za-z0-9_-]{20,}",
        (_RAW_LEFT + r"sk-[A-Za-z0-9_-]{0,52}[A-Za-z0-9]{12}",),
    ),
    _prefixed("google-api-key", "Google and Gemini API keys", "AIza", _URL64, 30),
    _prefixed("google-auth-key", "Gemini keys of the newer form", r"AQ\.", _URL64, 36),
    _prefixed("google-oauth-token", "Google OAuth access tokens", r"ya29\.", _URL64, 20),
    _prefixed("google-client-secret", "Google OAuth client secrets", "GOCSPX-", _URL64, 20),
    _prefixed("google-refresh-token", "Google OAuth refresh tokens", "1//0", _URL64, 30),
    _prefixed("huggingface-token", "Hugging Face tokens", "(?:hf_|api_org_)", _WORD, 30),
    _prefixed("replicate-token", "Replicate tokens", "r8_", _WORD, 30),
    _prefixed("groq-key", "Groq keys", "gsk_", _WORD, 30),
    _prefixed("xai-key", "xAI keys", "xai-", _WORD, 40),
    _prefixed("perplexity-key", "Perplexity keys", "pplx-", _WORD, 40),
    _prefixed("cerebras-key", "Cerebras keys", "csk-", _WORD, 32),
    _prefixed("tavily-key", "Tavily keys", "tvly-", _URL64, 20),
    _prefixed("nvidia-key", "NVIDIA API catalog keys", "nvapi-", _URL64, 40),
    _prefixed("fireworks-key", "Fireworks keys", "fw_", _WORD, 22),
    _exact("elevenlabs-key", "ElevenLabs keys", "sk_", _HEX, 48),
)

_CLOUD_KEYS = (
    _exact("aws-access-key", "AWS access key ids", "(?:AKIA|ASIA|ABIA|ACCA)", "[A-Z0-9]", 16),
    _prefixed("aws-bedrock-key", "Amazon Bedrock API keys", "ABSK", _B64, 80),
    Rule(
        "azure-client-secret",
        "Microsoft Entra client secrets",
        r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
        (r"[0-9]Q~[A-Za-z0-9_~.-]{31}",),
    ),
    Rule(
        "azure-account-key",
        "keys in Azure storage, bus and database connection strings",
        r"(?i:Account|SharedAccess)Key=(?P<secret>[A-Za-z0-9+/]{20,}={0,2})",
        (r"(?i:Account|SharedAccess)Key=[A-Za-z0-9+/\\]{12}",),
        "place",
    ),
    _prefixed("digitalocean-token", "DigitalOcean tokens", "do[opr]_v1_", _HEX, 40),
    _prefixed("heroku-key", "Heroku keys", "HRKU-", _URL64, 30),
    _prefixed("netlify-token", "Netlify tokens", "nf[cpoub]_", _WORD, 32),
    _prefixed("vercel-token", "Vercel tokens", "vc[aikpr]_", _WORD, 24),
    _prefixed("cloudflare-origin-key", "Cloudflare origin keys", r"v1\.0-[0-9a-f]{24}-", _HEX, 60),
    _prefixed("fly-token", "Fly.io tokens", r"(?:fm[12][ar]?_|fo1_)", "[A-Za-z0-9+/_=,-]", 40),
    _prefixed("render-key", "Render keys", "rnd_", _WORD, 28),
    _prefixed("supabase-key", "Supabase tokens and secret keys", "(?:sbp_|sb_secret_)", _URL64, 28),
    _prefixed("planetscale-token", "PlanetScale tokens and passwords", "pscale_(?:tkn|pw|oauth)_", _URL64, 30),
    _prefixed("databricks-token", "Databricks tokens", "dapi", _HEX, 32),
    _prefixed("pulumi-token", "Pulumi tokens", "pul-", _HEX, 40),
    _prefixed("tailscale-key", "Tailscale keys", "tskey-(?:auth|api|client|webhook|scim)-", _URL64, 16),
    _prefixed("vault-token", "HashiCorp Vault tokens", r"hv[sbr]\.", _URL64, 20),
    Rule(
        "terraform-token",
        "Terraform Cloud tokens",
        rf"{_LEFT}[A-Za-z0-9]{{14}}\.atlasv1\.[A-Za-z0-9_-]{{40,}}",
        (r"\.atlasv1\.[A-Za-z0-9_-]{12}",),
    ),
    _prefixed("doppler-token", "Doppler tokens", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?", _WORD, 36),
    _prefixed("dynatrace-token", "Dynatrace tokens", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.", "[A-Z0-9]", 60),
)

_FORGE_KEYS = (
    _prefixed("github-token", "GitHub personal, OAuth, app and refresh tokens", "gh[pousr]_", _WORD, 20),
    _prefixed("github-token", "GitHub fine-grained tokens", "github_pat_", "[A-Za-z0-9_]", 22),
    _prefixed(
        "gitlab-token",
        "GitLab tokens",
        "(?:glpat|gldt|glrt|glptt|glft|glimt|glagent|glcbt|gloas|glsoat|glffct)-",
        "[A-Za-z0-9_.-]",
        16,
    ),
    _prefixed("gitlab-token", "GitLab runner registration tokens", "GR1348941", _URL64, 20),
    _prefixed("atlassian-token", "Atlassian tokens", "AT(?:ATT|CTT)3", "[A-Za-z0-9_=-]", 40),
    _prefixed("bitbucket-token", "Bitbucket app passwords", "ATBB", _WORD, 28),
    _prefixed("npm-token", "npm tokens", "npm_", _WORD, 30),
    _prefixed("pypi-token", "PyPI and TestPyPI tokens", "pypi-", _URL64, 50),
    _prefixed("rubygems-key", "RubyGems keys", "rubygems_", _HEX, 40),
    _exact("crates-token", "tokens of the Rust crate registry", "cio", _WORD, 32),
    _exact("nuget-key", "NuGet keys", "oy2", "[a-z0-9]", 43),
    _prefixed("artifactory-key", "Artifactory keys", "(?:AKCp|cmVmdGtu)", _WORD, 50),
    _prefixed("docker-token", "Docker Hub tokens", "dckr_[op]at_", _URL64, 20),
    _prefixed("buildkite-token", "Buildkite tokens", "bk(?:ua|aa|ct)_", _WORD, 30),
    _prefixed("circleci-token", "CircleCI tokens", "CCIP(?:AT|RJ)_", "[A-Za-z0-9_]", 30),
    _prefixed("sonar-token", "SonarQube tokens", "sq[apu]_", _HEX, 40),
    _prefixed("age-secret-key", "age identities", "AGE-SECRET-KEY-1", "[A-Z0-9]", 40),
)

_SERVICE_KEYS = (
    _prefixed("slack-token", "Slack tokens", r"(?:xox[abeoprs]-|xoxe\.xox[bp]-|xapp-)", _URL64, 16),
    Rule(
        "slack-webhook",
        "Slack webhook addresses",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[A-Za-z0-9+/_-]{20,})",
        (r"hooks\.slack\.com\\*/(?:services|workflows|triggers)",),
        "place",
    ),
    Rule(
        "discord-webhook",
        "Discord webhook addresses",
        r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{6,24}/(?P<secret>[A-Za-z0-9_-]{20,})",
        (r"discord(?:app)?\.com\\*/api\\*/",),
        "place",
    ),
    Rule(
        "teams-webhook",
        "Microsoft Teams webhook addresses",
        r"webhook\.office\.com/webhookb2/(?P<secret>[A-Za-z0-9@/-]{40,})",
        (r"webhook\.office\.com",),
        "place",
    ),
    Rule(
        "discord-token",
        "Discord bot tokens",
        r"(?<![A-Za-z0-9_-])[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])",
        (r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27}",),
    ),
    Rule(
        "telegram-token",
        "Telegram bot tokens",
        r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])",
        (r"[0-9]{8}:AA[A-Za-z0-9_-]{32}",),
    ),
    _prefixed("stripe-key", "Stripe secret and restricted keys", "(?:sk|rk)_(?:live|test|prod)_", _WORD, 10),
    _prefixed("stripe-webhook-secret", "Stripe webhook secrets", "whsec_", _B64, 24),
    _exact("twilio-key", "Twilio API keys", "SK", _HEX, 32),
    Rule(
        "sendgrid-key",
        "SendGrid keys",
        rf"{_LEFT}SG\.[A-Za-z0-9_-]{{16,32}}\.[A-Za-z0-9_-]{{30,64}}",
        (r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{12}",),
    ),
    _exact("mailgun-key", "Mailgun keys", "key-", _HEX, 32),
    Rule(
        "mailchimp-key",
        "Mailchimp keys",
        rf"{_LEFT}[0-9a-f]{{32}}-us[0-9]{{1,2}}{_RIGHT}",
        (r"[0-9a-f]{8}-us[0-9]",),
    ),
    _prefixed("brevo-key", "Brevo (Sendinblue) keys", "xkeysib-", "[A-Za-z0-9-]", 60),
    _prefixed("postmark-key", "Postman keys", "PMAK-", "[A-Za-z0-9-]", 40),
    _prefixed("linear-key", "Linear keys", "lin_(?:api|oauth)_", _WORD, 30),
    _prefixed("notion-token", "Notion tokens", "(?:ntn_|secret_)", _WORD, 40),
    _prefixed("figma-token", "Figma tokens", "fig[dor]_", _URL64, 36),
    Rule(
        "airtable-token",
        "Airtable tokens",
        rf"{_LEFT}pat[A-Za-z0-9]{{14}}\.[a-f0-9]{{64}}",
        (r"pat[A-Za-z0-9]{14}\.[a-f0-9]{12}",),
    ),
    _prefixed("shopify-token", "Shopify tokens and secrets", "shp(?:at|ca|pa|ss|ua)_", _WORD, 28),
    _prefixed("square-token", "Square tokens and secrets", "sq0[a-z]{3}-", _URL64, 20),
    _prefixed("square-token", "Square tokens of the long form", "EAAA", _URL64, 56),
    _prefixed("meta-token", "Facebook and Instagram tokens", "EAA[A-Z][A-Z]", _WORD, 60),
    Rule(
        "braintree-token",
        "PayPal Braintree tokens",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
        (r"access_token\$(?:production|sandbox)\$",),
    ),
    _prefixed("sentry-token", "Sentry tokens", "sntry[su]_", "[A-Za-z0-9+/=_]", 40),
    _prefixed("newrelic-key", "New Relic keys", "NR(?:AK|JS|II|RA)-", _URL64, 18),
    _prefixed("grafana-token", "Grafana service account and cloud tokens", "gl(?:sa|c)_", "[A-Za-z0-9+/_]", 28),
    _prefixed("okta-token", "Okta API tokens in SSWS headers", "SSWS[ ]", _URL64, 30),
    _prefixed("typeform-token", "Typeform tokens", "tfp_", "[A-Za-z0-9_.=-]", 36),
    _prefixed("contentful-token", "Contentful tokens", "CFPAT-", _URL64, 36),
    _prefixed("mapbox-token", "Mapbox secret tokens", r"sk\.eyJ", "[A-Za-z0-9_.-]", 40),
)

_PEM_LABEL = "(?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?"

_SHAPES = (
    Rule(
        "private-key",
        "PEM blocks of private keys, whole or cut short",
        rf"-----BEGIN {_PEM_LABEL}-----"
        # -? is for diffs, where each line has one more
        rf"(?:(?=(?:[^-]|-(?!----)){{0,400}}?[A-Za-z0-9+/]{{20}})(?:[^-]++|-(?!----))*+-?-----END {_PEM_LABEL}-----"
        r"|[^-]{0,200}?[A-Za-z0-9+/]{40}[A-Za-z0-9+/=\s\\]*+)",
        (r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY",),
    ),
    Rule(
        "putty-key",
        "private part of PuTTY keys",
        r"Private-Lines: [0-9]{1,3}(?P<secret>(?:(?:\\r|\\n|\s)+[A-Za-z0-9+/=]{16,})+)",
        (r"Private-Lines: ",),
        "place",
    ),
    Rule(
        "jwt",
        "JSON web tokens",
        r"(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{6,}\.eyJ[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?",
        (r"eyJ[A-Za-z0-9_-]{6}",),
    ),
    Rule(
        "jwe",
        "encrypted JSON web tokens",
        r"(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{10,}",
        (r"eyJ[A-Za-z0-9_-]{6}",),
    ),
)

# Between a name and its value, in raw bytes: quotes, brackets and white space, with their backslashes.
_RAW_CLOSE = r"[\\\"'`\]]{0,80}"
_RAW_BLANK = r"(?:[ \t\r\n\\*]|\\[nrt]){0,80}"
_RAW_QUOTE = r"\\{0,80}[\"'`]"
_RAW_REST = r"[^\s\"'`,;(){}<>|&]"
_STRONG = r"[0-9!@#%^*+~?=-]"
SCHEMES = r"(?i:bearer|basic|token|api[-_]?key|digest|bot|ssws|key|genie[-_]?key|splunk|pat|oauth)"
_PLACE_VALUE = r"[^\s\x1b\"'`,;<>()\[\]{}|&$\\]"

_HEADER = r"\\?[\"']?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\?[\"']?"
_COOKIE_NAME = r"[A-Za-z0-9_.$%-]{1,80}"
_COOKIE = rf"{_COOKIE_NAME}=[^\s\x1b;\"'`<>{{}}\\]{{6,}}"
_RAW_HEADER = rf"{_RAW_CLOSE}{_RAW_BLANK}[:=,]{_RAW_BLANK}>?{_RAW_BLANK}[fbrF]?\\{{0,80}}[\"'`]?"
_RAW_COOKIE = rf"(?i:cookie[s2]?){_RAW_HEADER}{_COOKIE_NAME}=[^\s;\"'`<>{{}}]{{6}}"

_PLACES = (
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
                rf"(?:-u|--user|--proxy-user|-U)(?:[ \t\\]|\\t|=|[\\\"']{{1,80}}{_RAW_BLANK},{_RAW_BLANK}){{1,80}}"
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
_RAW_BETWEEN = rf"{_RAW_CLOSE}{_RAW_BLANK}(?:{_RAW_ANNOTATED}|{_RAW_SEPARATOR}){_RAW_BLANK}"
_RAW_BEGIN = r"[^\s\"'`<{\[]"
_RAW_FIRST = r"[^\s\"'`,;(){}<>|&\[]"
_RAW_STRONG_SOON = rf"(?:{_RAW_FIRST}{_RAW_REST}{{0,64}})?{_STRONG}"
_RAW_DIGIT_SOON = rf"(?:{_RAW_FIRST}{_RAW_REST}{{0,64}})?[0-9]"
_RAW_ARGUMENT = (
    rf"(?:[ \t]|\\{{1,80}}t|=){{1,12}}(?:(?:{_RAW_FIRST}{_RAW_REST}{{0,64}})?[0-9!@#%^*+~?]|{_RAW_QUOTE}{_RAW_BEGIN})"
)
_CAPITALS = r"(?:PASSWORD|PASSWD|PASSPHRASE|PASSCODE|PWD|PASS|SECRET)(?:_[A-Z0-9]{1,12})?="

_PAIRS = (
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
                rf"(?i:name|key|variable|header)[\\\"']{{0,80}}{_RAW_BLANK}[:=]{_RAW_BLANK}[\\\"']{{0,80}}"
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
            rf"--[A-Za-z0-9_-]{{0,60}}(?:{_RAW_NAME}s?|(?i:cookies?))[\\\"']{{1,80}}{_RAW_BLANK},{_RAW_BLANK}[\\\"']",
        ),
        "pair",
    ),
    Rule(
        "secret-argument",
        "values beside quoted names in calls and definitions: `define('DB_PASSWORD', '...')`",
        rf"(?P<name>{CORE}(?i:{SUFFIX}s?))(?P<comma>\\?[\"'`][ \t]{{0,4}},[ \t]{{0,4}}){_QUOTED}",
        (rf"{_RAW_NAME}s?[\\\"'`]{{1,80}}{_RAW_BLANK},{_RAW_BLANK}{_RAW_QUOTE}[^\s\"'`]{{0,200}}[0-9]",),
        "pair",
    ),
    Rule(
        "told-secret",
        "passwords told in prose: the password is ...",
        rf"(?P<name>{CORE}(?i:{SUFFIX}))[ ](?:is|was):?[ ]{_VALUE}",
        (
            (
                rf"(?i:pass(?:word|wd|phrase|wort|code)?|pwd|secret|token|key|jwt){_RAW_SUFFIX}[ ](?:is|was):?[ ]"
                rf"(?:{_RAW_STRONG_SOON}|{_RAW_QUOTE}{_RAW_BEGIN})"
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
            rf"(?i:{_WEAK}{_RAW_SUFFIX}s?){_RAW_BETWEEN}[fbrFBRL@]?{_RAW_QUOTE}{_RAW_BEGIN}",
            rf"(?i:(?:{_HARD}|{LOOSE}){_RAW_SUFFIX}s?){_RAW_BETWEEN}[fbrFBRL@]?{_RAW_QUOTE}[^\s\"'`\[][^\s\"'`]{{7}}",
            # lists
            rf"(?i:(?:{_WEAK}|{_HARD}|{LOOSE}|cookie){_RAW_SUFFIX}s?)[\\\"']{{1,80}}{_RAW_BLANK}:{_RAW_BLANK}\[",
            # unquoted values need a digit or a sign, or a name in capitals close to its value
            rf"(?i:{_WEAK}{_RAW_SUFFIX}s?)\]?{_RAW_BLANK}{_RAW_SEPARATOR}{_RAW_BLANK}{_RAW_STRONG_SOON}",
            rf"(?i:{_HARD}{_RAW_SUFFIX})\]?{_RAW_BLANK}{_RAW_SEPARATOR}{_RAW_BLANK}{_RAW_DIGIT_SOON}",
            rf"(?i:{LOOSE}{_RAW_SUFFIX}s?)={_RAW_STRONG_SOON}",
            rf"(?:^|[^A-Za-z]|\\[nrt])pass{_RAW_BLANK}:{_RAW_BLANK}{_RAW_DIGIT_SOON}",
            rf"{_CAPITALS}{_RAW_FIRST}{_RAW_REST}{{2}}",
        ),
        "pair",
    ),
)

RULES: tuple[Rule, ...] = (*_MODEL_KEYS, *_CLOUD_KEYS, *_FORGE_KEYS, *_SERVICE_KEYS, *_SHAPES, *_PLACES, *_PAIRS)
