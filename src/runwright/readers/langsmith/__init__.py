"""LangSmith: run trees, the events that its SDK sends, and bulk exports."""

from runwright.readers.langsmith.read import read_langsmith, sniff_langsmith, together
from runwright.readers.langsmith.runs import names_told
from runwright.readers.reader import Reader

LANGSMITH = Reader(
    name="langsmith",
    sniff=sniff_langsmith,
    read=read_langsmith,
    recognised="JSON or JSON Lines of runs with `run_type` and `dotted_order` or `trace_id`, also inside the SDK's "
    "requests; Parquet of them",
    kept="runs of models and tools with nesting, messages of LangChain and of the APIs, parameters, tools, errors, "
    "usage, times; POST and PATCH of a run as one",
    lost="feedback, costs, tags, metadata, tracebacks; retrievers and embeddings; how a streamed reply came in pieces",
    told=names_told,
    versions="SDK 0.15; nested runs and bulk exports as documented",
    together=together,
)

__all__ = ["LANGSMITH", "read_langsmith", "sniff_langsmith"]
