"""Made-up secrets of every kind, assembled here so that no file of the repository holds one."""

import base64
import json

from runwright.secrets.rules.rule import ALNUM, BASE64, HEX, LOWER, UPPER, fill

MARK = "T3Blbk" + "FJ"


def encoded(value: object) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).decode().rstrip("=")


def basic(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


JWT = f"{encoded({'alg': 'RS256', 'kid': 'k1'})}.{encoded({'sub': 'u1', 'exp': 1})}.{fill(86)}"
PEM = "\n".join(
    ("-----BEGIN RSA PRIVATE " + "KEY-----", fill(64, BASE64), fill(64, BASE64, 9), fill(30, BASE64) + "==")
)
PEM_WHOLE = PEM + "\n-----END RSA PRIVATE " + "KEY-----"

TYPED: dict[str, tuple[str, str]] = {
    "anthropic": ("anthropic-key", "sk-ant-" + "api03-" + fill(93)),
    "openai legacy": ("openai-key", "sk-" + fill(20) + MARK + fill(20, seed=3)),
    "openai without mark": ("openai-key", "sk-" + fill(48)),
    "openai project": ("openai-key", "sk-proj-" + fill(74) + MARK + fill(74, seed=4)),
    "openai service account": ("openai-key", "sk-svcacct-" + fill(60)),
    "github classic": ("github-token", "ghp_" + fill(36)),
    "github server": ("github-token", "ghs_" + fill(36, seed=11)),
    "github fine-grained": ("github-token", "github_pat_" + fill(22) + "_" + fill(59)),
    "gitlab": ("gitlab-token", "glpat-" + fill(20)),
    "google": ("google-key", "AIza" + fill(35)),
    "google oauth": ("google-key", "ya29." + fill(80)),
    "hugging face": ("huggingface-token", "hf_" + fill(34)),
    "aws id": ("aws-key", "AKIA" + fill(16, UPPER)),
    "aws session id": ("aws-key", "ASIA" + fill(16, UPPER)),
    "azure storage": ("azure-key", "AccountKey=" + fill(86, BASE64) + "=="),
    "azure client secret": ("azure-key", fill(3) + "8Q~" + fill(34)),
    "slack bot": ("slack-token", "xoxb-" + "123456789012-" + fill(24)),
    "slack app": ("slack-token", "xapp-" + "1-A012-345-" + fill(40)),
    "slack webhook": ("slack-token", "https://hooks.slack.com/services/" + "T012AB/B034CD/" + fill(24)),
    "stripe live": ("stripe-key", "sk_live_" + fill(24)),
    "stripe restricted": ("stripe-key", "rk_live_" + fill(24)),
    "stripe webhook": ("stripe-key", "whsec_" + fill(32)),
    "sendgrid": ("sendgrid-key", "SG." + fill(22) + "." + fill(43)),
    "twilio": ("twilio-key", "SK" + fill(32, HEX)),
    "npm": ("npm-token", "npm_" + fill(36)),
    "pypi": ("pypi-token", "pypi-" + "AgEIcHlwaS5vcmc" + fill(90)),
    "jwt": ("jwt", JWT),
    "private key": ("private-key", PEM_WHOLE),
    "private key, cut off": ("private-key", PEM),
    "telegram": ("telegram-token", "1234567890:" + "AAH" + fill(32)),
    "discord": ("discord-token", "MTk4N1" + fill(18) + "." + fill(6) + "." + "aB3" + fill(24)),
    "mailchimp": ("mailchimp-key", fill(32, HEX) + "-us12"),
    "square": ("square-secret", "sq0csp-" + fill(43)),
    "groq": ("vendor-key", "gsk_" + fill(52)),
    "vault": ("vendor-key", "hvs." + fill(90)),
    "bearer": ("bearer-token", "Bearer " + fill(40)),
    "basic": ("basic-authorization", "Basic " + basic("alice:" + fill(12))),
    "database url": ("url-password", "postgres" + "://app:" + fill(12) + "@db.internal:5432/app"),
    "redis url": ("url-password", "redis" + "://:" + fill(16) + "@cache:6379/0"),
    "signed url": ("signed-url", "https://b.s3.amazonaws.com/k?X-Amz-Signature=" + fill(64, HEX)),
    "command": ("command-password", "curl -s -u svc:" + fill(14) + " https://x.example.com"),
    "sas url": ("signed-url", "https://a.blob.core.windows.net/c?sv=2024-05-04&sig=" + fill(43) + "%3D"),
}
"""Kinds that their own form gives away: the rule, and a text that holds one."""

CORES = {
    "database url": fill(12),
    "redis url": fill(16),
    "signed url": fill(64, HEX),
    "sas url": fill(43),
    "command": fill(14),
    "slack webhook": fill(24),
}
"""Where a text is more than its secret: the secret."""

NAMED: dict[str, tuple[str, str]] = {
    "password": ("password", "hunter2"),
    "passwd": ("passwd", "Tr0ub4dor&3"),
    "client_secret": ("client_secret", fill(32, LOWER)),
    "apiKey": ("apiKey", fill(24, ALNUM)),
    "X-Api-Key": ("X-Api-Key", fill(24, HEX)),
    "DB_PASSWORD": ("DB_PASSWORD", "s3cret-pony"),
    "access_token": ("access_token", fill(40)),
    "refreshToken": ("refreshToken", fill(40, seed=2)),
    "aws_secret_access_key": ("aws_secret_access_key", fill(40, BASE64)),
    "token": ("token", fill(32, HEX)),
}
"""Values that only the name of their field gives away."""
