"""The one scripted run in every export of it: which tool wrote which files, and who can be compared over what.

Two exchanges, two parallel calls of `lookup_order`, and the final answer. scripts/fixtures/make makes the exports;
scripts/docs.py writes the tables of docs/explanation/one-run-many-exports.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from runwright.fingerprint import Fingerprint, agree, fingerprint
from runwright.readers import Input, read_foreign, runs_of
from runwright.trace.model import Trace, text_of
from runwright.writers import WRITERS, write_foreign

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
ANSWER = "A-17 is on its way, B-4 waits in Århus."
FIELDS = ("tools", "tool_sequences", "models", "graph_hash", "outcome_class")
"""The fields that the run has something in: nobody watched effects, and nothing here is plain HTTP."""


class Export(NamedTuple):
    """Files that hold the run; `further` says that they hold more than this run, which is then found by its end."""

    tool: str
    files: tuple[str, ...]
    further: bool = False


def _otlp(kind: str, *, logs: bool = False, folder: str = "order_desk") -> tuple[str, ...]:
    traces = (f"{folder}/{kind}.traces.json",)
    return (*traces, f"{folder}/{kind}.logs.json") if logs else traces


EXPORTS: dict[str, Export] = {
    "openai-v2": Export("OpenTelemetry openai-v2 2.2b0, content in log records", _otlp("openai-v2", logs=True)),
    "semconv-span": Export("OpenTelemetry openai-v2 2.4b0, new conventions, SPAN_ONLY", _otlp("semconv-span")),
    "semconv-event": Export(
        "OpenTelemetry openai-v2 2.4b0, new conventions, EVENT_ONLY", _otlp("semconv-event", logs=True)
    ),
    "semconv-both": Export(
        "OpenTelemetry openai-v2 2.4b0, new conventions, SPAN_AND_EVENT", _otlp("semconv-both", logs=True)
    ),
    "genai-span": Export("OpenTelemetry genai-openai 1.3b0, SPAN_ONLY", _otlp("genai-span")),
    "genai-event": Export("OpenTelemetry genai-openai 1.3b0, EVENT_ONLY", _otlp("genai-event", logs=True)),
    "traceloop": Export("Traceloop openai 0.62.4", _otlp("traceloop")),
    "openinference": Export("OpenInference openai 0.1.66", _otlp("openinference")),
    "pydantic-2": Export("pydantic-ai 2.68.0, version 2 of its spans", _otlp("pydantic-2", folder="otlp")),
    "pydantic-6": Export("pydantic-ai 2.68.0, version 6 of its spans", _otlp("pydantic-6", folder="otlp")),
    "vercel": Export("AI SDK 6.0.326", _otlp("vercel", folder="otlp"), further=True),
    "langgraph-traceloop": Export(
        "LangGraph 1.2.24 through Traceloop", _otlp("langgraph-traceloop", folder="otlp"), further=True
    ),
    "langgraph-openinference": Export(
        "LangGraph 1.2.24 through OpenInference", _otlp("langgraph-openinference", folder="otlp"), further=True
    ),
    "phoenix-api": Export("Phoenix 20.26.1, its API", ("phoenix/api.json",), further=True),
    "phoenix-table": Export("Phoenix 20.26.1, its client's table", ("phoenix/table.parquet",), further=True),
    "langfuse": Export("Langfuse SDK 5.0.4, its OTLP", ("order_desk/langfuse.otlp.pb",)),
    "langfuse-2": Export("Langfuse SDK 2.60.10, its batches", ("order_desk/langfuse-2.ingestion.jsonl",)),
    "langsmith": Export("LangSmith SDK 0.15.1, its batches", ("order_desk/langsmith.jsonl",)),
    "langsmith-multipart": Export("LangSmith SDK 0.15.1, multipart", ("order_desk/langsmith-multipart.jsonl",)),
    "langsmith-langgraph": Export("LangGraph 1.2.24 through LangSmith", ("order_desk/langsmith-langgraph.jsonl",)),
    "openai_agents": Export("OpenAI Agents SDK 0.24.0, its trace", ("order_desk/openai_agents.jsonl",)),
    "openai_agents-state": Export("OpenAI Agents SDK 0.24.0, a saved state", ("order_desk/openai_agents-state.json",)),
    "mlflow": Export("MLflow 3.17.2", ("order_desk/mlflow.json",)),
    "inspect-json": Export("Inspect 0.3.285, JSON", ("order_desk/inspect.json",)),
    "inspect-eval": Export("Inspect 0.3.285, `.eval`", ("order_desk/inspect.eval",)),
    "litellm": Export("LiteLLM 1.110.2, its standard payload", ("order_desk/litellm.jsonl",)),
    "litellm-streamed": Export("LiteLLM 1.110.2, streamed", ("order_desk/litellm-streamed.jsonl",)),
    "vcr-yaml": Export("vcrpy 9.4.2, YAML", ("order_desk/vcr.yaml",)),
    "vcr-json": Export("vcrpy 9.4.2, JSON", ("order_desk/vcr.json",)),
    "vcr-streamed-yaml": Export("vcrpy 9.4.2, YAML, streamed", ("order_desk/vcr-streamed.yaml",)),
    "vcr-streamed-json": Export("vcrpy 9.4.2, JSON, streamed", ("order_desk/vcr-streamed.json",)),
    "vcr-gzip": Export("vcrpy 9.4.2, compressed bodies", ("order_desk/vcr-gzip.yaml",)),
    "vcr-gzip-streamed": Export("vcrpy 9.4.2, compressed streams", ("order_desk/vcr-gzip-streamed.yaml",)),
    "mitmproxy": Export("mitmproxy 11.0.2, flows", ("order_desk/mitmproxy.flows",)),
    "mitmproxy-streamed": Export("mitmproxy 11.0.2, flows, streamed", ("order_desk/mitmproxy-streamed.flows",)),
    "mitmproxy-gzip": Export("mitmproxy 11.0.2, flows, compressed", ("order_desk/mitmproxy-gzip.flows",)),
    "har": Export("mitmproxy 11.0.2, HTTP archive", ("order_desk/mitmproxy.har",)),
    "har-streamed": Export("mitmproxy 11.0.2, HTTP archive, streamed", ("order_desk/mitmproxy-streamed.har",)),
    "har-gzip": Export("mitmproxy 11.0.2, HTTP archive, compressed", ("order_desk/mitmproxy-gzip.har",)),
    "wire": Export("a log of the wire (docs/reference/model-log.md)", ("order_desk/wire.jsonl",)),
    "openai-v2-off": Export("OpenTelemetry openai-v2 2.2b0, content off", _otlp("openai-v2-off", logs=True)),
    "semconv-off": Export("OpenTelemetry openai-v2 2.4b0, new conventions, content off", _otlp("semconv-off")),
}
"""The exports by name, in Chat Completions; the run that the AI SDK exported holds it twice, once streamed."""


def _others(api: str) -> dict[str, Export]:
    """The exports of the same run in another API."""
    folder = f"order_desk/{api}"
    found = {
        "traceloop": Export("Traceloop 0.62.4", _otlp("traceloop", folder=folder)),
        "openinference": Export("OpenInference", _otlp("openinference", folder=folder)),
        "langsmith": Export("LangSmith SDK 0.15.1, its batches", (f"{folder}/langsmith.jsonl",)),
        "mlflow": Export("MLflow 3.17.2", (f"{folder}/mlflow.json",)),
        "inspect-json": Export("Inspect 0.3.285, JSON", (f"{folder}/inspect.json",)),
        "inspect-eval": Export("Inspect 0.3.285, `.eval`", (f"{folder}/inspect.eval",)),
        "vcr-yaml": Export("vcrpy 9.4.2, YAML", (f"{folder}/vcr.yaml",)),
        "vcr-gzip": Export("vcrpy 9.4.2, compressed bodies", (f"{folder}/vcr-gzip.yaml",)),
        "mitmproxy": Export("mitmproxy 11.0.2, flows", (f"{folder}/mitmproxy.flows",)),
        "mitmproxy-gzip": Export("mitmproxy 11.0.2, flows, compressed", (f"{folder}/mitmproxy-gzip.flows",)),
        "har": Export("mitmproxy 11.0.2, HTTP archive", (f"{folder}/mitmproxy.har",)),
        "har-gzip": Export("mitmproxy 11.0.2, HTTP archive, compressed", (f"{folder}/mitmproxy-gzip.har",)),
        "wire": Export("a log of the wire", (f"{folder}/wire.jsonl",)),
    }
    if api == "messages":
        found["mitmproxy-streamed"] = Export(
            "mitmproxy 11.0.2, flows, streamed", (f"{folder}/mitmproxy-streamed.flows",)
        )
        found["har-streamed"] = Export("mitmproxy 11.0.2, archive, streamed", (f"{folder}/mitmproxy-streamed.har",))
    else:
        found["genai-span"] = Export("OpenTelemetry genai-openai 1.3b0", _otlp("genai-span", folder=folder))
        found["langfuse"] = Export("Langfuse SDK 5.0.4, its OTLP", (f"{folder}/langfuse.otlp.pb",))
    return found


TITLES = {"messages": "Anthropic's Messages API", "responses": "OpenAI's Responses API"}
OTHERS = {api: _others(api) for api in ("messages", "responses")}
"""The same run in Anthropic's Messages and in OpenAI's Responses API."""


SILENT = ("openai-v2-off", "semconv-off")
"""Exports without content: they can be compared with nobody over what the run did, and are never SAME."""

EXEMPT = {
    "langfuse": (("models", "graph_hash"), "the model asked for: Langfuse's client keeps the name that the reply gave"),
    "openai_agents-state": (("models", "graph_hash"), "a state holds neither the instructions, the tools, the model"),
    "openai-v2-off": (
        ("tools", "tool_sequences", "graph_hash", "outcome_class"),
        "message content was not captured by opentelemetry.instrumentation.openai_v2",
    ),
    "semconv-off": (
        ("tools", "tool_sequences", "graph_hash", "outcome_class"),
        "message content was not captured by opentelemetry.util.genai.handler",
    ),
}
"""What an export cannot be compared over, and the loss in its header that says why."""


def traces_of(export: Export) -> Iterator[Trace]:
    """The run, as often as the files hold it."""
    sources = [Input(name, (FIXTURES / name).read_bytes()) for name in export.files]
    if not export.further:
        yield read_foreign(sources)
        return
    runs = [run.trace for run in runs_of(sources)]
    if len(runs) == 1:  # spans of many traces are one run, unless one is asked for
        ids = sorted({str(each.ext["trace_id"]) for each in runs[0].models})
        runs = [read_foreign(sources, trace_id=id) for id in ids]
    yield from (trace for trace in runs if is_the_run(trace))


def is_the_run(trace: Trace) -> bool:
    """Whether it is two exchanges, of which the last says the answer."""
    replies = [each.response for each in trace.models]
    return len(replies) == 2 and replies[1] is not None and text_of(replies[1].content) == ANSWER


@cache
def traces(api: str = "chat") -> dict[str, Trace]:
    """The run in this API as each export has it, and as our own writers write what crossed the wire."""
    found: dict[str, Trace] = {}
    for name, export in (EXPORTS if api == "chat" else OTHERS[api]).items():
        for at, trace in enumerate(traces_of(export)):
            found[name if at == 0 else f"{name} {at + 1}"] = trace
    for form in WRITERS:
        data = write_foreign(found["wire"], form).data
        found[f"written as {form}"] = read_foreign([Input(form, data)])
    return found


@cache
def prints(api: str = "chat") -> dict[str, Fingerprint]:
    """The fingerprint of each."""
    return {name: fingerprint(trace) for name, trace in traces(api).items()}


# --- the tables ----------------------------------------------------------------------------------


def groups() -> dict[frozenset[str], list[str]]:
    """The exports by the facts that they could know."""
    found: dict[frozenset[str], list[str]] = {}
    for name, print_of in prints().items():
        found.setdefault(frozenset(print_of.basis), []).append(name)
    return found


def tool_of(name: str) -> str:
    """Who wrote an export."""
    export = EXPORTS.get(name) or EXPORTS.get(name.rpartition(" ")[0])
    return export.tool if export else "Runwright, from the log of the wire"


def cell(one: str, other: str, api: str = "chat") -> str:
    """The verdict of two exports, and what of the run they could not be compared over."""
    found = agree(prints(api)[one], prints(api)[other])
    if not found.behaviour:
        known = ", ".join(f"`{field}`" for field in found.compared)
        return f"UNVERIFIED: {known} alone" if known else "UNVERIFIED: nothing"
    left = [f"`{field}`" for field in FIELDS if field not in found.compared]
    return f"{found.verdict} but for {', '.join(left)}" if left else found.verdict


def table() -> str:
    """The exports by what they know, any two of these groups with each other, and why something cannot be compared."""
    letters = {basis: chr(ord("A") + at) for at, basis in enumerate(groups())}
    first = ["| | knows | exports |", "|---|---|---|"]
    for basis, names in groups().items():
        shown = "; ".join(f"`{name}`: {tool_of(name)}" for name in names)
        first.append(f"| {letters[basis]} | {', '.join(sorted(basis))} | {shown} |")
    members = {letters[basis]: names for basis, names in groups().items()}
    second = [f"| | {' | '.join(members)} |", f"|---|{'---|' * len(members)}"]
    for letter, names in members.items():
        row = [cell(names[0], others[-1]) for others in members.values()]
        second.append(f"| {letter} | {' | '.join(row)} |")
    third = ["| export | not compared | the loss that its trace tells |", "|---|---|---|"]
    for name, (fields, why) in EXEMPT.items():
        third.append(f"| `{name}` | {', '.join(f'`{field}`' for field in fields)} | {why} |")
    return "\n".join([*first, "", *second, "", *third, "", *_in_other_apis()])


def _in_other_apis() -> Iterator[str]:
    yield "| the same run in | exports | verdict of any two |"
    yield "|---|---|---|"
    for api in OTHERS:
        names = list(prints(api))
        cells = {cell(one, other, api) for one in names for other in names if one != other}
        yield f"| {TITLES[api]} | {', '.join(f'`{name}`' for name in names)} | {'; '.join(sorted(cells))} |"
