"""Langfuse: traces with their observations, from the API, the interface's download and scheduled exports."""

from runwright.readers.langfuse.read import read_langfuse, sniff_langfuse, together
from runwright.readers.langfuse.rows import names_told
from runwright.readers.reader import Reader

LANGFUSE = Reader(
    name="langfuse",
    sniff=sniff_langfuse,
    read=read_langfuse,
    recognised="JSON of traces with `observations`; rows with `trace_id` and `parent_observation_id`; Parquet of them; "
    "batches of the events that its second SDK sends",
    kept="generations as model exchanges, tools, agents and nesting, errors, usage, times; what the OpenTelemetry "
    "attributes in the metadata show; calls that only messages tell of",
    lost="scores, costs, prompts' versions; what a framework put neither into input nor output; wire bodies; "
    "the model asked for where its wrapper of the OpenAI client put that of the reply over it",
    told=names_told,
    versions="downloads of SDK 3.0-3.10; batches of SDK 2.60; API v1 and v2 and both scheduled exports as documented",
    together=together,
)

__all__ = ["LANGFUSE", "read_langfuse", "sniff_langfuse"]
