"""Every field of a model request that the model reads is compared: another value in any of them is red."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from runwright.dialects import DIALECTS
from runwright.match.part import Workshop
from runwright.trace.model import ModelRequest, TextBlock
from tests.falsifiability.fields import (
    BODIES,
    NOT_COMPARED,
    WHOLES,
    Change,
    blanked,
    changed,
    changes,
    fields_of_the_model,
    request_of,
)
from tests.falsifiability.stage import SAID, Asked, Case, exchange, perform

CHANGES = [each for api in BODIES if api in DIALECTS for each in changes(api)]
FIRST = list({(each.api, each.field): each for each in CHANGES}.values())
"""One change for each field of the model and API."""

PLAYED = CHANGES if os.environ.get("RUNWRIGHT_FUZZ") else FIRST
"""`scripts/fuzz` plays every place of each field."""


def _case(change: Change) -> Case:
    request = request_of(change.api)
    other = changed(request, change.at)
    assert other is not None
    recorded = (exchange("m1", request, (TextBlock(text=SAID),)),)
    return Case(name=str(change), check="", says="m1", recorded=recorded, live=(Asked(request=other),))


@pytest.mark.parametrize("api", BODIES)
def test_the_request_itself_is_green(api: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = (exchange("m1", request_of(api), (TextBlock(text=SAID),)),)
    status, verdict = perform(tmp_path, Case(name=api, check="", says="", recorded=recorded), capsys)
    assert status == 0, verdict


@pytest.mark.parametrize("change", PLAYED, ids=str)
def test_another_value_is_red(change: Change, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, verdict = perform(tmp_path, _case(change), capsys)
    assert status == 1, verdict
    assert "no recorded request agrees; the nearest is m1" in verdict, verdict


@pytest.mark.parametrize("change", FIRST, ids=str)
def test_without_the_field_it_is_green(
    change: Change, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    prepare = Workshop.prepare

    def blind(self: Workshop, request: ModelRequest, streamed: bool | None) -> Any:
        return prepare(self, blanked(request, change.at), streamed)

    monkeypatch.setattr(Workshop, "prepare", blind)
    status, verdict = perform(tmp_path, _case(change), capsys)
    assert status == 0, verdict


def test_every_api_has_a_request_here() -> None:
    assert set(BODIES) == set(DIALECTS)


def test_every_field_of_the_model_is_changed_somewhere() -> None:
    assert fields_of_the_model() == {each.field for each in CHANGES} | NOT_COMPARED.keys() | WHOLES


@pytest.mark.parametrize("api", BODIES)
def test_a_streamed_request_is_another_one(api: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    recorded = (exchange("m1", request_of(api), (TextBlock(text=SAID),)),)
    live = (Asked(request=request_of(api), streamed=True),)
    status, verdict = perform(tmp_path, Case(name=api, check="", says="", recorded=recorded, live=live), capsys)
    assert (status, "$.streamed" in verdict) == (1, True), verdict


def test_a_request_to_another_api_is_another_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    one, other, *_ = BODIES
    recorded = (exchange("m1", request_of(one), (TextBlock(text=SAID),)),)
    live = (Asked(request=request_of(other)),)
    status, verdict = perform(tmp_path, Case(name="api", check="", says="", recorded=recorded, live=live), capsys)
    assert (status, f"no exchange with {other} is recorded" in verdict) == (1, True), verdict
