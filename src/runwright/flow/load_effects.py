"""The `effects` key of a flow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias, cast

from runwright.errors import FlowError
from runwright.flow.spec import Compare, EffectsSpec, Http
from runwright.flow.variables import resolved
from runwright.flow.yaml_tree import Document
from runwright.trace.model import JSON

Object: TypeAlias = Mapping[str, JSON]


def effects_of(document: Document, env: Mapping[str, str]) -> EffectsSpec | None:
    """How side effects are observed and compared, variables resolved; None where the flow does not say."""
    given = cast("Object", document.value).get("effects")
    if given is None:
        return None
    form: Object = given if isinstance(given, dict) else {"compare": given}
    if "ignore" in form and "compare" not in form:
        place = document.place(("effects", "ignore"))
        raise FlowError("'ignore' leaves nothing out where nothing is compared", place=place, hint="compare: strict")
    workspace = form.get("workspace")
    place = document.place(("effects", "workspace"))
    return EffectsSpec(
        compare=cast("Compare | None", form.get("compare")),
        http=cast("Http", form.get("http", "hooks")),
        workspace=None if workspace is None else resolved(str(workspace), env, place),
        ignore=tuple(cast("list[str]", form.get("ignore", []))),
        databases=tuple(
            resolved(each, env, document.place(("effects", "databases", n)))
            for n, each in enumerate(cast("list[str]", form.get("databases", [])))
        ),
    )
