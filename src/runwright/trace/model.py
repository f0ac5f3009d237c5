"""The trace as values: frozen, typed, fully resolved. The bytes are `jsonl.py`'s affair."""

from __future__ import annotations

from typing import Literal, TypeAlias, Union

from runwright.trace.content import (
    JSON as JSON,
    AudioBlock as AudioBlock,
    Block as Block,
    FileBlock as FileBlock,
    ImageBlock as ImageBlock,
    Message as Message,
    OtherBlock as OtherBlock,
    RefusalBlock as RefusalBlock,
    Source as Source,
    TextBlock as TextBlock,
    ThinkingBlock as ThinkingBlock,
    ToolCallBlock as ToolCallBlock,
    ToolResultBlock as ToolResultBlock,
    Value as Value,
    calls_of as calls_of,
    intern,
    is_said as is_said,
    text_of as text_of,
)
from runwright.trace.header import (
    AgentInfo as AgentInfo,
    Header as Header,
    Kind as Kind,
    Lineage as Lineage,
    Loss as Loss,
    LossKind as LossKind,
    Observation as Observation,
    Origin as Origin,
    Specification as Specification,
    ToolDigest as ToolDigest,
)
from runwright.trace.words import (
    EFFECT_KINDS as EFFECT_KINDS,
    FORMAT as FORMAT,
    LANES as LANES,
    VERSION as VERSION,
)

Fidelity = Literal["raw", "reconstructed", "partial", "none"]
Outcome = Literal["ok", "error", "denied", "throttled", "circuit_open"]
StopReason = Literal["end_turn", "tool_calls", "length", "stop_sequence", "content_filter", "refusal", "pause"]
EffectKind = Literal[
    "fs_write", "fs_delete", "fs_rename", "fs_truncate", "http_request", "db_change", "sap_transaction"
]
FaultKind = Literal["truncation", "dropped_spans", "interruption", "observer_failed"]


# --- the model lane -----------------------------------------------------------------------------


class ToolSpec(Value, frozen=True, kw_only=True):
    """A tool as declared to the model; `parameters` is its JSON Schema."""

    name: str
    kind: str = "function"
    description: str | None = None
    parameters: JSON = None
    extra: dict[str, JSON] = {}

    def __post_init__(self) -> None:
        intern(self, "kind")


class ModelRequest(Value, frozen=True, kw_only=True):
    """What the model was conditioned on. `parameters` holds every other wire field by its wire name."""

    api: str
    model: str
    provider: str | None = None
    parameters: dict[str, JSON] = {}
    messages: tuple[Message, ...] = ()
    tools: tuple[ToolSpec, ...] = ()


class Usage(Value, frozen=True, kw_only=True):
    """Token counts as reported; `details` keeps the provider's own breakdown."""

    input_tokens: int = 0
    output_tokens: int = 0
    details: dict[str, JSON] = {}


class ModelResponse(Value, frozen=True, kw_only=True):
    content: tuple[Block, ...] = ()
    stop_reason: StopReason | None = None
    usage: Usage | None = None
    id: str | None = None
    model: str | None = None
    extra: dict[str, JSON] = {}


class ModelError(Value, frozen=True, kw_only=True):
    """A failed model call: HTTP status where there was one, and the body as it came."""

    message: str
    status: int | None = None
    kind: str | None = None
    body: JSON = None
    retry_after: float | None = None


# --- records ------------------------------------------------------------------------------------


class RecordBase(Value, frozen=True, kw_only=True):
    """What every record carries. `t` and `duration` are seconds; both are absent in cassettes."""

    id: str
    parent: str | None = None
    after: tuple[str, ...] = ()
    after_inferred: tuple[str, ...] = ()
    agent: str | None = None
    t: float | None = None
    duration: float | None = None
    ext: dict[str, JSON] = {}


class MessageRecord(RecordBase, tag_field="lane", tag="message", frozen=True, kw_only=True):
    """What a user, system or agent said across the run's outer boundary."""

    role: Literal["user", "system", "agent"]
    content: tuple[Block, ...] = ()
    channel: str | None = None


class ModelRecord(RecordBase, tag_field="lane", tag="model", frozen=True, kw_only=True):
    """A model exchange.

    `chunks` are the streamed pieces as (content block index, characters) pairs, in order. `unknown`,
    `reconstructed` and `adopted` are JSONPaths into this record; `$.request.parameters.*` stands for every
    parameter that is not listed.
    """

    request: ModelRequest
    response: ModelResponse | None = None
    error: ModelError | None = None
    streamed: bool | None = None
    chunks: tuple[tuple[int, int], ...] | None = None
    fidelity: Fidelity
    unknown: tuple[str, ...] = ()
    reconstructed: tuple[str, ...] = ()
    adopted: tuple[str, ...] = ()


class ToolError(Value, frozen=True, kw_only=True):
    message: str
    type: str | None = None


class ToolRecord(RecordBase, tag_field="lane", tag="tool", frozen=True, kw_only=True):
    name: str
    arguments: JSON = None
    result: JSON = None
    error: ToolError | None = None
    outcome: Outcome
    call_id: str | None = None
    fidelity: Fidelity
    unknown: tuple[str, ...] = ()


class McpError(Value, frozen=True, kw_only=True):
    code: int
    message: str
    data: JSON = None


class McpRecord(RecordBase, tag_field="lane", tag="mcp", frozen=True, kw_only=True):
    server: str
    method: str
    transport: Literal["stdio", "http", "unknown"] = "unknown"
    params: JSON = None
    result: JSON = None
    error: McpError | None = None
    notification: bool = False
    direction: Literal["client", "server"] = "client"
    call_id: str | None = None
    fidelity: Fidelity
    unknown: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        intern(self, "transport", "direction")


class HttpBody(Value, frozen=True, kw_only=True):
    """Exactly one of `text` and `base64`; `size` in bytes when the body was cut or left out."""

    text: str | None = None
    base64: str | None = None
    size: int | None = None
    truncated: bool = False


class HttpRequest(Value, frozen=True, kw_only=True):
    method: str
    url: str
    headers: tuple[tuple[str, str], ...] = ()
    body: HttpBody | None = None


class HttpResponse(Value, frozen=True, kw_only=True):
    status: int
    headers: tuple[tuple[str, str], ...] = ()
    body: HttpBody | None = None


class HttpRecord(RecordBase, tag_field="lane", tag="http", frozen=True, kw_only=True):
    request: HttpRequest
    response: HttpResponse | None = None
    error: str | None = None
    fidelity: Fidelity
    unknown: tuple[str, ...] = ()


class EffectState(Value, frozen=True, kw_only=True):
    """A state before or after: blake3 digest, size in bytes and, for small text, the content."""

    digest: str | None = None
    size: int | None = None
    content: str | None = None


class SideEffect(Value, frozen=True, kw_only=True):
    """A change the run made to the world (schema/side-effect-v1.schema.json)."""

    kind: EffectKind
    target: str
    op: str | None = None
    before: EffectState | None = None
    after: EffectState | None = None
    diff: str | None = None
    caused_by: str | None = None
    detail: dict[str, JSON] = {}


class SideEffectRecord(RecordBase, tag_field="lane", tag="side_effect", frozen=True, kw_only=True):
    side_effect: SideEffect


class PolicyRecord(RecordBase, tag_field="lane", tag="policy", frozen=True, kw_only=True):
    """Which control or policy decided, on which record, and what it cost in cycles."""

    policy: str
    verdict: Literal["allow", "deny", "violated", "error"]
    on: str | None = None
    reason: str | None = None
    cycles: int | None = None


class BlobRecord(RecordBase, tag_field="lane", tag="blob", frozen=True, kw_only=True):
    """Content stored once; `digest` is `blake3:<hex>` over the UTF-8 bytes of `text`."""

    digest: str
    size: int
    text: str


class FaultRecord(RecordBase, tag_field="lane", tag="fault", frozen=True, kw_only=True):
    """Something was not seen. `hides` names the lanes, effect kinds or records it may hide."""

    kind: FaultKind
    detail: str
    hides: tuple[str, ...] = ()


Record: TypeAlias = Union[
    MessageRecord,
    ModelRecord,
    ToolRecord,
    McpRecord,
    HttpRecord,
    SideEffectRecord,
    PolicyRecord,
    BlobRecord,
    FaultRecord,
]

ID_LETTER: dict[str, str] = {
    "message": "u",
    "model": "m",
    "tool": "t",
    "mcp": "c",
    "http": "h",
    "side_effect": "e",
    "policy": "p",
    "blob": "b",
    "fault": "f",
}
"""The letter that ids of a lane start with where this tool gives them: m1, m2, t1 ..."""


class Trace(Value, frozen=True, kw_only=True):
    """A whole trace in memory. `complete` is false when its seal was missing or wrong."""

    header: Header
    records: tuple[Record, ...] = ()
    complete: bool = True

    @property
    def models(self) -> list[ModelRecord]:
        """The model exchanges, in line order."""
        return [record for record in self.records if isinstance(record, ModelRecord)]

    @property
    def tools(self) -> list[ToolRecord]:
        """The tool records, in line order."""
        return [record for record in self.records if isinstance(record, ToolRecord)]

    @property
    def effects(self) -> list[SideEffectRecord]:
        """The side effects, in line order."""
        return [record for record in self.records if isinstance(record, SideEffectRecord)]


def lane_of(record: Record) -> str:
    """The lane a record belongs to."""
    return str(type(record).__struct_config__.tag)


def results_of(request: ModelRequest) -> list[ToolResultBlock]:
    """The tool results that a request carries, in order."""
    return [block for message in request.messages for block in message.content if isinstance(block, ToolResultBlock)]
