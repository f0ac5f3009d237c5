"""Real runs of pytest on a folder of a user's, and what they reported."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from xml.etree import ElementTree

import pytest

import runwright.reports
import runwright.run  # noqa: F401 - loaded once for all runs in this process
from runwright.trace import dumps_trace
from tests.replay.cassettes import body, cassette, exchange, reply

INSTALLED = bool(entry_points(group="pytest11", name="runwright"))
"""False where this package was installed before it had a plugin: pytest is then told of it by hand."""

SWITCHED_OFF = ("-p", "no:runwright" if INSTALLED else "no:runwright.pytest_plugin")

Outcome = str
"""passed, failed, error or skipped: what JUnit makes of a test."""


@dataclass(frozen=True)
class Run:
    """The exit status, the text, and what the JUnit report says of each test by its name."""

    status: int
    text: str
    outcomes: dict[str, Outcome]
    told: dict[str, str]
    properties: dict[str, dict[str, str]]


def run(pytester: pytest.Pytester, *words: str, apart: bool = False) -> Run:
    """pytest with these words, its JUnit report read.

    A run `apart` is a process of its own, as a user starts it; the others are in this process, in a tenth of the time.
    """
    report = pytester.path / "junit.xml"
    words = words if INSTALLED or words[:2] == SWITCHED_OFF else ("-p", "runwright.pytest_plugin", *words)
    report.unlink(missing_ok=True)
    words = ("-p", "no:cacheprovider", "--junitxml", str(report), *words)
    done = pytester.runpytest_subprocess(*words) if apart else pytester.runpytest_inprocess(*words)
    cases = ElementTree.parse(report).getroot().iter("testcase") if report.exists() else ()
    found = {str(case.get("name")): case for case in cases}
    return Run(
        status=int(done.ret),
        text=re.sub(r"\x1b\[\d+m", "", done.stdout.str() + done.stderr.str()),
        outcomes={name: _outcome(case) for name, case in found.items()},
        told={
            name: "\n".join(each.text or "" for each in case if each.tag != "properties")
            for name, case in found.items()
        },
        properties={
            name: {str(each.get("name")): str(each.get("value")) for each in case.iter("property")}
            for name, case in found.items()
        },
    )


def counted(pytester: pytest.Pytester, *words: str) -> dict[str, int]:
    """How many of each outcome pytest with these words counts, its cache in use."""
    words = words if INSTALLED else ("-p", "runwright.pytest_plugin", *words)
    return pytester.runpytest_inprocess(*words).parseoutcomes()


def _outcome(case: ElementTree.Element) -> Outcome:
    tags = {each.tag for each in case}
    return next((word for tag, word in OUTCOMES.items() if tag in tags), "passed")


OUTCOMES = {"error": "error", "failure": "failed", "skipped": "skipped"}


def write_cassette(path: Path) -> Path:
    """Two exchanges: `hello` is answered `Hi.` and `bye` is answered `Bye.`."""
    records = exchange(1, body("hello"), reply("Hi.")), exchange(2, body("bye"), reply("Bye.", number=2))
    path.write_bytes(dumps_trace(cassette(*records)))
    return path


AGENT = '''
import openai

def ask(text, **fields):
    with openai.OpenAI() as client:
        messages = [{"role": "user", "content": text}]
        done = client.chat.completions.create(model="gpt-4o", messages=messages, **fields)
        return done.choices[0].message.content

def careless(*texts, **fields):
    """An agent that goes on whatever happens."""
    for text in texts:
        try:
            ask(text, **fields)
        except openai.APIError:
            pass
'''
