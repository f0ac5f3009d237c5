"""Files of JSON: what is no document is an error that names the file."""

from __future__ import annotations

import pytest

from runwright.errors import ReaderError
from runwright.readers import Input, runs_of


@pytest.mark.parametrize("form", ["atif", "har", "openhands", "swe_agent"])
@pytest.mark.parametrize("data", [b"", b'{"steps": [', b"{} {}", b"\xff\xfe"])
def test_a_file_that_is_no_document_is_refused_by_name(form: str, data: bytes) -> None:
    with pytest.raises(ReaderError, match="no JSON") as caught:
        runs_of([Input("folder/cut.json", data)], form)
    assert caught.value.place == "folder/cut.json"
