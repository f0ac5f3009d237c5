"""The rules, in one table. Where two claim one place, the earlier names it."""

from runwright.secrets.rules.deferred import deferred

with deferred("requests"):
    from runwright.secrets.rules import (
        anthropic,
        authorization,
        aws,
        azure,
        command,
        github,
        gitlab,
        google,
        huggingface,
        jwt,
        openai,
        packages,
        private_key,
        sendgrid,
        slack,
        stock,
        stripe,
        twilio,
        url,
        vendors,
    )
    from runwright.secrets.rules.rule import Match, Rule

RULES: tuple[Rule, ...] = (
    private_key.RULE,
    anthropic.RULE,
    openai.RULE,
    github.RULE,
    gitlab.RULE,
    google.RULE,
    huggingface.RULE,
    aws.RULE,
    azure.RULE,
    slack.RULE,
    stripe.RULE,
    sendgrid.RULE,
    twilio.RULE,
    packages.NPM,
    packages.PYPI,
    vendors.RULE,
    jwt.RULE,
    stock.ARTIFACTORY,
    stock.DISCORD,
    stock.MAILCHIMP,
    stock.SQUARE,
    stock.TELEGRAM,
    stock.CLOUDANT,
    stock.SOFTLAYER,
    stock.IBM_IAM,
    stock.IBM_COS,
    authorization.BASIC,
    authorization.BEARER,
    url.PASSWORD,
    url.SIGNATURE,
    command.RULE,
    stock.PUBLIC_IP,
)

__all__ = ["RULES", "Match", "Rule"]
