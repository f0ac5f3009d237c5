"""The published schema and the model describe the same fields, and every field has a description."""

import typing
from collections.abc import Iterator

import msgspec
import pytest

from runwright.trace import LANES, model, problems, schema
from runwright.trace.model import Value

LINES_ONLY = {"format", "version"}
STORED_ONLY = {"blob", "response_of", "extends", "splices", "result_blob"}
"""Fields of the stored form that resolving takes away."""

PAIRS = {
    "header": model.Header,
    "request": model.ModelRequest,
    "response": model.ModelResponse,
    "model_error": model.ModelError,
    "usage": model.Usage,
    "tool_spec": model.ToolSpec,
    "chat_message": model.Message,
    "source": model.Source,
    "tool_error": model.ToolError,
    "mcp_error": model.McpError,
    "http_body": model.HttpBody,
    "tool_digest": model.ToolDigest,
    "effect_state": model.EffectState,
    **{f"{kind.__struct_config__.tag}_block": kind for kind in typing.get_args(model.Block)},
    **{kind.__struct_config__.tag: kind for kind in typing.get_args(model.Record)},
}


def fields(kind: type[Value]) -> set[str]:
    config = kind.__struct_config__
    return {field.encode_name for field in msgspec.structs.fields(kind)} | (
        {config.tag_field} if config.tag_field else set()
    )


@pytest.mark.parametrize("name", PAIRS)
def test_schema_and_model_have_the_same_fields(name: str) -> None:
    described = set(schema("trace-v1")["$defs"][name]["properties"])
    only_in_lines = {*STORED_ONLY, *(LINES_ONLY if name == "header" else ())}
    assert described - only_in_lines == fields(PAIRS[name])


def test_every_definition_of_the_schema_has_its_model() -> None:
    shapes = {"block", "headers", "seal", "splice"}
    assert set(schema("trace-v1")["$defs"]) - shapes == set(PAIRS)


def test_the_header_s_parts_agree() -> None:
    parts = schema("trace-v1")["$defs"]["header"]["properties"]
    assert set(parts["source"]["properties"]) == fields(model.Origin)
    assert set(parts["agent"]["properties"]) == fields(model.AgentInfo)
    assert set(parts["specification"]["properties"]) == fields(model.Specification)
    assert set(parts["lineage"]["properties"]) == fields(model.Lineage)
    assert set(parts["losses"]["items"]["properties"]) == fields(model.Loss)
    assert set(schema("side-effect-v1")["properties"]) == fields(model.SideEffect)


@pytest.mark.parametrize(
    ("name", "field", "words"),
    [
        ("header", "kind", typing.get_args(model.Kind)),
        ("model", "fidelity", typing.get_args(model.Fidelity)),
        ("tool", "outcome", typing.get_args(model.Outcome)),
        ("response", "stop_reason", typing.get_args(model.StopReason)),
        ("fault", "kind", typing.get_args(model.FaultKind)),
    ],
)
def test_words_agree(name: str, field: str, words: tuple[str, ...]) -> None:
    assert schema("trace-v1")["$defs"][name]["properties"][field]["enum"] == list(words)


def test_kinds_of_effects_and_losses_agree() -> None:
    assert schema("side-effect-v1")["properties"]["kind"]["enum"] == list(model.EFFECT_KINDS)
    header = schema("trace-v1")["$defs"]["header"]["properties"]
    assert header["losses"]["items"]["properties"]["kind"]["enum"] == list(typing.get_args(model.LossKind))
    assert [lane for lane in LANES if lane not in schema("trace-v1")["$defs"]] == []


def undescribed(value: object, where: str) -> Iterator[str]:
    if isinstance(value, dict):
        for name, part in value.get("properties", {}).items():
            if isinstance(part, dict) and "description" not in part and "$ref" not in part:
                yield f"{where}.{name}"
            yield from undescribed(part, f"{where}.{name}")
        for name, part in value.get("$defs", {}).items():
            if "description" not in part:
                yield f"{where}#{name}"
            yield from undescribed(part, f"{where}#{name}")
        yield from undescribed(value.get("items"), f"{where}[]")
        yield from undescribed(value.get("additionalProperties"), f"{where}.*")


SCHEMAS = ["trace-v1", "side-effect-v1", "flow-v1", "proposal-v1", "run-report-v1", "audit-report-v1"]


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_field_of_every_schema_is_described_and_the_schema_is_valid(name: str) -> None:
    import jsonschema

    jsonschema.Draft202012Validator.check_schema(schema(name))
    assert list(undescribed(schema(name), name)) == []


def test_the_two_validators_agree_on_what_is_refused() -> None:
    good = {"lane": "tool", "id": "t", "name": "x", "outcome": "ok", "fidelity": "raw"}
    assert problems("trace-v1", good) == []
    for broken in (
        {**good, "outcome": "fine"},
        {**good, "id": ""},
        {**good, "after": "t0"},
        {**good, "extra": 1},
        {"lane": "tool"},
    ):
        assert problems("trace-v1", broken)
