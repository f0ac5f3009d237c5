"""One recorded run, in each format that it can come in: converted, accepted, green without a key, red for a change."""

from __future__ import annotations

import json
import shutil
from functools import partial
from pathlib import Path

import pytest

from runwright.dialects import DIALECTS, parse_stream_body
from tests.e2e import replaying
from tests.e2e.recording_server import recording
from tests.e2e.replaying import OWN_AGENT, accept, model_log, record, runwright

AGENT = (Path(__file__).parent / "openai_agent.py").read_text()
FORMATS = ("runwright", "model_log", "vcr", "har", "otlp", "langfuse", "langsmith")
replay = partial(replaying.replay, AGENT)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the agent, and its run as a model log."""
    folder = tmp_path_factory.mktemp("recorded")
    _, lines = record(folder, AGENT, recording, "OPENAI")
    (folder / "model_log").write_text(model_log(lines))
    runwright(folder, "import", "model_log", "--out", "runwright")
    for form in ("vcr", "har", "otlp"):
        runwright(folder, "export", "runwright", "--to", form, "--out", form)
    (folder / "langfuse").write_text(json.dumps(langfuse(lines)))
    (folder / "langsmith").write_text("".join(json.dumps(run) + "\n" for run in langsmith(lines)))
    return folder


def langfuse(lines: list[dict[str, object]]) -> dict[str, object]:
    """The run as Langfuse's API gives it: a generation a call, with the bodies in strings."""
    observations = [
        {
            "id": f"o{number}",
            "traceId": "t",
            "type": "GENERATION",
            "name": "chat",
            "startTime": f"2026-11-30T10:00:{number:02}.000Z",
            "endTime": f"2026-11-30T10:00:{number:02}.500Z",
            "model": line["request"]["model"],  # type: ignore[index]
            "input": json.dumps(line["request"]),
            "output": json.dumps(_answer(line)),
            "level": "DEFAULT",
        }
        for number, line in enumerate(lines)
    ]
    return {"trace": {"id": "t", "name": "desk", "timestamp": "2026-11-30T10:00:00.000Z"}, "observations": observations}


def langsmith(lines: list[dict[str, object]]) -> list[dict[str, object]]:
    """The run as LangSmith's run trees have it."""
    return [
        {
            "id": f"00000000-0000-4000-8000-{number:012}",
            "trace_id": "00000000-0000-4000-8000-000000000000",
            "dotted_order": f"20261130T1000{number:02}000000Z00000000-0000-4000-8000-{number:012}",
            "run_type": "llm",
            "name": "ChatOpenAI",
            "start_time": f"2026-11-30T10:00:{number:02}",
            "end_time": f"2026-11-30T10:00:{number:02}.5",
            "inputs": line["request"],
            "outputs": _answer(line),
            "extra": {"metadata": {"ls_provider": "openai", "ls_model_name": line["request"]["model"]}},  # type: ignore[index]
        }
        for number, line in enumerate(lines)
    ]


def _answer(line: dict[str, object]) -> object:
    """The reply as a body; of a streamed one, as its parts say."""
    if "response" in line:
        return line["response"]
    dialect = DIALECTS["openai.chat_completions"]
    request, _ = dialect.decode_request(line["request"])  # type: ignore[arg-type]
    response, _ = dialect.decode_stream(parse_stream_body(str(line["sse"])).values)
    return dialect.encode_response(response, request)


@pytest.fixture(scope="module", params=FORMATS)
def project(request: pytest.FixtureRequest, recorded: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project whose flow was converted from the run in one format, and accepted."""
    folder = tmp_path_factory.mktemp(request.param)
    for name in ("pyproject.toml", "agent.py", request.param):
        shutil.copy(recorded / name, folder)
    accept(folder, request.param, *OWN_AGENT, "--until", "end")
    return folder


def test_green_without_a_key(project: Path) -> None:
    flow = replay(project)
    assert flow["word"] == "PASS", flow["summary"]


def test_red_for_another_word(project: Path) -> None:
    flow = replay(project, ("Is it raining?", "Is it snowing?"))
    assert flow["word"] == "FAIL"
    assert any("messages[1].content[0].text" in each["path"] for each in flow["miss"]["differences"]), flow
