"""An agent is asked in a process of its own: whatever its module does, the answer is a specification or a reason."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from runwright.drift import AgentSpec
from runwright.errors import AgentSpecError
from runwright.spec import ask
from tests.cli.conftest import Run, project, run  # noqa: F401  fixtures

GOOD = 'spec = {"system_prompt": "Be brief."}\n'


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def module(text: str, name: str = "desk.py") -> None:
    path = Path(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


ANSWERS = {
    "a value": GOOD,
    "a function": "def spec():\n    return {'system_prompt': 'Be brief.'}\n",
    "a coroutine": "async def spec():\n    return {'system_prompt': 'Be brief.'}\n",
    "a function of a function": "def spec():\n    return lambda: {'system_prompt': 'Be brief.'}\n",
    "an object": "class Spec:\n    system_prompt = 'Be brief.'\nspec = Spec()\n",
    "a class": "class spec:\n    system_prompt = 'Be brief.'\n",
    "an object with methods": "class Spec:\n    def system_prompt(self):\n        return 'Be brief.'\nspec = Spec()\n",
    "a partial": "import functools\nspec = functools.partial(dict, system_prompt='Be brief.')\n",
    "our own value": "from runwright.spec import AgentSpec\nspec = AgentSpec(system_prompt='Be brief.')\n",
    "a module that prints": "print('noise')\nimport os\nos.write(1, b'noise')\nos.system('echo noise')\n" + GOOD,
    "a module that reads": "import sys\nassert sys.stdin.read() == ''\n" + GOOD,
    "a thread that does not end": "import threading\nthreading.Thread(target=threading.Event().wait).start()\n" + GOOD,
    "something to do at the end": "import atexit, os\natexit.register(os._exit, 3)\n" + GOOD,
    "another standard output": "import sys\nsys.stdout = None\n" + GOOD,
}


@pytest.mark.parametrize("kind", ANSWERS)
def test_it_answers(kind: str, capfd: pytest.CaptureFixture[str]) -> None:
    module(ANSWERS[kind])
    assert ask("desk:spec") == AgentSpec(system_prompt="Be brief.")
    assert capfd.readouterr().out == ""


def test_names_lead_from_the_current_directory() -> None:
    module("class Desk:\n    spec = {'model': 'm'}\n", "agents/refund/desk.py")
    module("", "agents/__init__.py")
    module("", "json.py")  # a file with the name of a module of Python's is not what we import
    assert ask("agents.refund.desk:Desk.spec") == AgentSpec(model="m")


FAULTS = {
    "raises": ("def spec():\n    raise ValueError('no key')\n", "desk.py:2: it raised ValueError: no key"),
    "raises on import": ("x = 1 / 0\n", "desk.py:1: it raised ZeroDivisionError: division by zero"),
    "ends": ("raise SystemExit(0)\n", "desk.py:1: it ended the process with 0"),
    "ends late": ("def spec():\n    import sys\n    sys.exit('no')\n", "desk.py:3: it ended the process with 'no'"),
    "is interrupted": ("raise KeyboardInterrupt\n", "desk.py:1: it raised KeyboardInterrupt"),
    "dies": ("import os\nos._exit(0)\n", "desk:spec: its process ended with status 0 before it answered"),
    "is killed": (
        "import os\nos.kill(os.getpid(), 9)\n",
        "desk:spec: its process ended with status -9 before it answered",
    ),
    "is no Python": ("def spec(:\n", "desk.py:1: it is no Python: invalid syntax"),
    "imports what is not there": ("import nowhere_at_all\n", "desk.py:1: it raised ModuleNotFoundError"),
    "has no such name": ("specs = 1\n", "desk:spec: desk has no attribute 'spec'"),
    "never answers": ("import time\ntime.sleep(60)\n", "desk:spec: it did not answer within 3 seconds"),
    "recurses": ("def spec():\n    return spec()\n", "it raised RecursionError"),
    "has a lone surrogate": ("spec = {'system_prompt': '\\ud800'}\n", "lone surrogate"),
    "is a number": ("spec = 7\n", "desk:spec: a int does not say what an agent is built from"),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_it_does_not_answer(kind: str) -> None:
    text, expected = FAULTS[kind]
    module(text)
    with pytest.raises(AgentSpecError) as caught:
        ask("desk:spec", timeout=3 if kind == "never answers" else 60)
    assert expected in str(caught.value)


@pytest.mark.parametrize("name", ["desk", "desk:", ":spec", "desk.py:spec", "agents/desk:spec", ""])
def test_what_is_no_name_is_told(name: str) -> None:
    module(GOOD)
    with pytest.raises(AgentSpecError, match="names no attribute of a module"):
        ask(name)


def test_a_command_line_ends_with_2_and_no_traceback(run: Run, project: Path) -> None:  # noqa: F811
    (project / "log.jsonl").write_text(
        json.dumps({"request": {"model": "m", "messages": []}, "error": {"status": 500}})
    )
    for text in ("raise SystemExit(0)\n", "import os\nos._exit(1)\n", "def spec(:\n"):
        (project / "desk.py").write_text(text)
        found = run("runwright drift log.jsonl --agent desk:spec --json", 2)
        assert found.stdout == ""
        assert "[agent-spec]" in found.stderr
    (project / "desk.py").write_text("print('noise')\n" + GOOD)
    found = run("runwright drift log.jsonl --agent desk:spec --json", 1)
    assert json.loads(found.stdout)["verdict"] == "DRIFTED"
    assert "noise" in found.stderr


def test_what_an_agent_raises_shows_no_secret(run: Run, project: Path) -> None:  # noqa: F811
    key = "sk-proj-" + "Zq3xV7bK9mT2" * 4
    (project / "log.jsonl").write_text("{}")
    (project / "desk.py").write_text(f"raise ValueError('bad key {key}')\n")
    assert key not in run("runwright drift log.jsonl --agent desk:spec", 2).stderr
