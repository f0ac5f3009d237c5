"""The rules as the table of the documentation."""

from __future__ import annotations

from runwright.secrets.assigned import RULE
from runwright.secrets.rules import RULES, Rule


def rules_markdown() -> str:
    """Every rule in its order: its name, what it finds, and the plugins of detect-secrets in it."""
    lines = ["| rule | finds | of detect-secrets |", "|---|---|---|"]
    lines += (_row(rule) for rule in RULES)
    lines.append(f"| `{RULE}` | the value of a field, variable, header, option or sentence that names it | |")
    return "\n".join(lines)


def _row(rule: Rule) -> str:
    kinds = dict.fromkeys(str(plugin.secret_type) for plugin in (rule.own, *rule.stock) if plugin)
    stock = ", ".join(plugin.__name__ for plugin in rule.stock)
    return f"| `{rule.name}` | {'; '.join(kinds)}{' (for review only)' if rule.review else ''} | {stock} |"
