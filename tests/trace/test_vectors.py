"""Every vector of the format gives the answer that its head states, at the place that it states."""

from pathlib import Path

import pytest

from runwright.errors import RunwrightError
from runwright.trace import loads_trace, validate_trace
from tests.vectors.generate import HERE, text_of, vectors

FILES = sorted(HERE.glob("*.vector"))


def head_and_data(path: Path) -> tuple[dict[str, str], bytes]:
    head, data = path.read_bytes().split(b"\n\n", 1)
    return dict(line.split(": ", 1) for line in head.decode().splitlines()), data


def test_the_files_are_the_ones_that_the_generator_writes() -> None:
    assert {path.stem: path.read_bytes() for path in FILES} == {each.name: text_of(each) for each in vectors()}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_reading_answers_as_the_head_states(path: Path) -> None:
    head, data = head_and_data(path)
    if head["expect"] == "valid":
        assert loads_trace(data, "v").complete
        return
    with pytest.raises(RunwrightError) as caught:
        loads_trace(data, "v")
    assert (caught.value.slug, caught.value.place) == (head["expect"], f"v:{head['at']}")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_validating_names_the_same_place(path: Path, tmp_path: Path) -> None:
    head, data = head_and_data(path)
    file = tmp_path / "v"
    file.write_bytes(data)
    problems = validate_trace(file).problems
    if head["expect"] == "valid":
        assert problems == ()
    else:
        assert problems[0].startswith(f"{file}:{head['at']}: ")
