"""Write the generated parts of the docs; with --check, say which are out of date and exit 1.

Generated: the CLI reference, the messages page, tables and lists in other pages. Checked: every relative
link, and that every page is reachable from docs/index.md.
"""

import argparse
import inspect
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from runwright import errors
from runwright.cli.reference import reference
from runwright.reports.adapters import adapters_markdown
from runwright.reports.export import forms_markdown
from runwright.reports.formats import formats_markdown
from runwright.secrets.rules.page import rules_markdown
from runwright.trace import schema

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
sys.path.insert(0, str(ROOT))

from tests.readers.one_run import table  # noqa: E402  found in the folder above


def main() -> int:
    """0 when every generated part is as it should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    faults = list(_broken_links()) + list(_unreachable_pages())
    for path, text in _generated().items():
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if check:
            faults.append(f"{path.relative_to(ROOT)}: out of date (run python scripts/docs.py)")
        else:
            path.write_text(text, encoding="utf-8")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def _generated() -> dict[Path, str]:
    architecture = DOCS / "explanation" / "architecture.md"
    exits = DOCS / "reference" / "exit-codes.md"
    adapters = DOCS / "reference" / "agent-spec.md"
    formats = DOCS / "reference" / "formats.md"
    exports = DOCS / "reference" / "exports.md"
    gate = DOCS / "reference" / "secret-gate.md"
    one_run = DOCS / "explanation" / "one-run-many-exports.md"
    return {
        DOCS / "reference" / "cli.md": reference(),
        DOCS / "reference" / "messages.md": _messages(),
        architecture: _between(architecture, "layers", _layers()),
        exits: _between(exits, "codes", _codes()),
        DOCS / "trace-format.md": _between(DOCS / "trace-format.md", "fields", _fields()),
        adapters: _between(adapters, "adapters", adapters_markdown()),
        formats: _between(formats, "formats", formats_markdown()),
        exports: _between(exports, "forms", forms_markdown()),
        gate: _between(gate, "rules", rules_markdown()),
        one_run: _between(one_run, "agreement", table()),
    }


def _messages() -> str:
    lines = [
        "# Messages",
        "",
        "Every error names its kind in brackets at the end: `runwright: place: message [slug]`. A remedy, where there",
        "is one, follows on a `hint:` line. Both go to standard error.",
        "",
        "| slug | exit | it means |",
        "|---|---|---|",
    ]
    for kind in sorted(_kinds(errors.RunwrightError), key=lambda each: each.slug):
        meaning = inspect.cleandoc(kind.__doc__ or "").splitlines()[0]
        lines.append(f"| `{kind.slug}` | {int(kind.exit_code)} | {meaning} |")
    return "\n".join(lines) + "\n"


def _kinds(kind: type[errors.RunwrightError]) -> Iterator[type[errors.RunwrightError]]:
    for each in kind.__subclasses__():
        yield each
        yield from _kinds(each)


def _codes() -> str:
    meanings = {
        errors.Exit.OK: "what was asked holds",
        errors.Exit.FAILED: "it does not hold",
        errors.Exit.NOT_JUDGED: "it could not be judged",
        errors.Exit.INTERRUPTED: "interrupted; what was found so far is kept",
    }
    rows = [f"| {int(code)} | {meanings[code]} |" for code in errors.Exit]
    return "\n".join(["| exit | meaning |", "|---|---|", *rows])


def _layers() -> str:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    layers = config["tool"]["importlinter"]["contracts"][0]["layers"]
    present = [re.sub(r"\((\w+)\)", "", layer) for layer in reversed(layers)]
    lines = ("    " + " | ".join(part.strip() for part in layer.split("|") if part.strip()) for layer in present)
    return "\n".join(line for line in lines if line.strip())


def _fields() -> str:
    """A table for each object of the trace schema."""
    parts = schema("trace-v1")["$defs"]
    effect = {"side effect": schema("side-effect-v1")}
    tables = (_table(name, part) for name, part in {**parts, **effect}.items() if "properties" in part)
    return "\n\n".join(tables)


def _table(name: str, part: dict[str, Any]) -> str:
    required = set(part.get("required", ()))
    rows = [f"### {name}", "", part["description"], "", "| field | required | meaning |", "|---|---|---|"]
    for field, described in part["properties"].items():
        meaning = described.get("description") or f"See {described['$ref'].rsplit('/', 1)[-1]}."
        words = described.get("enum")
        shown = f"{meaning} One of {', '.join(f'`{word}`' for word in words)}." if words else meaning
        rows.append(f"| `{field}` | {'yes' if field in required else ''} | {shown} |")
    return "\n".join(rows)


def _between(path: Path, mark: str, text: str) -> str:
    start, end = f"<!-- {mark} -->", f"<!-- /{mark} -->"
    page = path.read_text(encoding="utf-8")
    before, rest = page.split(start, 1)
    return f"{before}{start}\n\n{text}\n\n{end}{rest.split(end, 1)[1]}"


def _pages() -> list[Path]:
    return [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("*.md"))]


def _links(page: Path) -> Iterator[Path]:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            yield (page.parent / target).resolve()


def _broken_links() -> Iterator[str]:
    for page in _pages():
        for target in _links(page):
            if not target.exists():
                yield f"{page.relative_to(ROOT)}: no such file {target}"


def _unreachable_pages() -> Iterator[str]:
    listed = set(_links(DOCS / "index.md"))
    for page in sorted(DOCS.rglob("*.md")):
        if page.name != "index.md" and page.resolve() not in listed:
            yield f"{page.relative_to(ROOT)}: not listed in docs/index.md"


if __name__ == "__main__":
    sys.exit(main())
