"""Secrets that are known by their own shape, wherever they stand: a table, data only."""

from panscript.stages.redaction.rule import Rule

__all__ = ["FORMATS"]

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
        name,
        description,
        f"{_LEFT}{prefix}{characters}{{{count}}}{_RIGHT}",
        (_anchor(prefix, characters, min(count, 16)),),
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
        (r"[0-9]Q~[A-Za-z0-9_~.-]{12}",),
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
        (r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{12}",),
    ),
    Rule(
        "telegram-token",
        "Telegram bot tokens",
        r"(?<![0-9])[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])",
        (r"[0-9]{8}:AA[A-Za-z0-9_-]{16}",),
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
    _prefixed(
        "encoded-private-key",
        "PEM blocks of private keys in base64, as in kubeconfig files and Kubernetes secrets",
        "LS0tLS1CRUdJTi(?:BSU0EgUFJJ|BQUklWQVRF|BFQyBQUkl|BPUEVOU1NI|BFTkNSWVBU|BEU0EgUFJJ)",
        _B64,
        40,
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
        r"(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{20,}\.[A-Za-z"
        r"0-9_-]{10,}",
        (r"eyJ[A-Za-z0-9_-]{6}",),
    ),
)

FORMATS: tuple[Rule, ...] = (*_MODEL_KEYS, *_CLOUD_KEYS, *_FORGE_KEYS, *_SERVICE_KEYS, *_SHAPES)
