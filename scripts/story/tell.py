"""Tell the story in a scratch project: every command is run for real, and its exit status is checked.

With --picture FILE the story is also drawn, as the picture that the README shows.
"""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import variants

HERE = Path(__file__).resolve().parent
CONVERT = (
    "runwright convert spans.jsonl logs.jsonl --out flows/regressions/refund-twice --agent 'python agent.py' "
    "--tools real --until m2 --assert 'assert_tool_call: {tool: issue_refund, times: 1}'"
)


def main() -> int:
    """Run the whole story; 0 when every step ended as the story says."""
    with tempfile.TemporaryDirectory(prefix="runwright-demo-") as folder:
        project = Path(folder)
        (project / "pyproject.toml").write_text('[project]\nname = "shop"\nversion = "1"\n', encoding="utf-8")
        agent = project / "agent.py"

        say("1. production: the agent refunds an order twice; OpenTelemetry exports the run")
        agent.write_text(variants.buggy(), encoding="utf-8")
        production(agent, project)

        say("2. the export becomes a proposal, and a person accepts it")
        ok = step(project, CONVERT, 0, show=4)
        ok &= step(project, "runwright review --accept refund-twice", 0, show=2)

        say("3. from now on it replays: no model, no key, no network")
        for title, source, status in (
            ("the agent as it was in production", variants.buggy(), 1),
            ("fixed: it hands the receipt to the model", variants.fixed(), 0),
            ("broken anew: the lookup forgets the item", variants.regressed(), 1),
        ):
            agent.write_text(source, encoding="utf-8")
            ok &= step(project, "runwright run flows/", status, show=8, title=title)
    if not ok:
        print("the story did not end as told", file=sys.stderr)
    return 0 if ok else 1


def production(agent: Path, project: Path) -> None:
    """Run the agent as production did, in a process of its own."""
    command = [sys.executable, str(HERE / "production.py"), str(agent), str(project)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=HERE)
    print(f"   the customer reads: {done.stdout.strip()}")


def step(project: Path, command: str, status: int, *, show: int, title: str = "") -> bool:
    """Run one command as a user would; print it, the first lines of its output, and its exit status."""
    hidden = {"OPENAI_API_KEY", "OPENAI_BASE_URL", "CI"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    done = subprocess.run(
        shlex.split(command), capture_output=True, text=True, cwd=project, env=environment, check=False
    )
    print(f"   $ {command}" + (f"      # {title}" if title else ""))
    lines = done.stdout.splitlines() if done.stdout.strip() else done.stderr.splitlines()
    for line in lines[:show]:
        print(f"   {line}")
    if done.returncode == status:
        return True
    print(done.stdout + done.stderr, file=sys.stderr)
    print(f"   exit status {done.returncode}, the story says {status}", file=sys.stderr)
    return False


def draw(text: str, picture: Path) -> None:
    """The story's text as a picture of a terminal."""
    from rich.console import Console
    from rich.text import Text

    console = Console(record=True, width=120, file=io.StringIO())
    drawn = Text(text.strip("\n"))
    for pattern, style in ((r"(?m)^\s*\$ .*$", "bold"), (r"\bPASS\b", "bold green"), (r"\bFAIL\b", "bold red")):
        drawn.highlight_regex(pattern, style)
    console.print(drawn)
    svg = console.export_svg(title="scripts/demo")
    picture.write_text(re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL), encoding="utf-8")  # no web fonts


def say(line: str) -> None:
    """A heading of the story."""
    print(f"\n{line}")


if __name__ == "__main__":
    if sys.argv[1:2] != ["--picture"]:
        sys.exit(main())
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        status = main()
    draw(told.getvalue(), Path(sys.argv[2]))
    sys.exit(status)
