"""LiteLLM: what its callbacks log, its table of spend, and the files that OpenHands' SDK writes of each call."""

from runwright.readers.litellm.read import names_told, read_litellm, sniff_litellm, together
from runwright.readers.reader import Reader

LITELLM = Reader(
    name="litellm",
    sniff=sniff_litellm,
    read=read_litellm,
    together=together,
    recognised="JSON or JSON Lines of calls with `call_type`, `startTime` and a cost or parameters; files with "
    "`messages`, `kwargs`, `response` and `latency_sec`",
    kept="chat completions, responses, messages and contents as model exchanges, MCP tool calls, errors, usage, costs, "
    "times; calls of one trace or session id are a run",
    lost="messages and responses unless `store_prompts_in_spend_logs` is set; parameters as the client sent them "
    "unless its request was stored; boundaries of streams; embeddings, images, speech and other types of call",
    told=names_told,
    versions="StandardLoggingPayload and SpendLogs as documented in 2026; software-agent-sdk 1.0.0",
)

__all__ = ["LITELLM", "read_litellm", "sniff_litellm"]
