"""Which flows a run is about, and what keeps a suite from being green."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from runwright.errors import UsageError
from runwright.run.discover import flow_files, proposed_flow, repository_root, waiting_in_ci


def touch(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")


def names(paths: list[Path], root: Path) -> list[str]:
    return [path.relative_to(root).as_posix() for path in paths]


def test_flows_below_a_folder_come_sorted_and_once(tmp_path: Path) -> None:
    touch(tmp_path, "b.flow.yaml", "a/z.flow.yaml", "a/y.flow.yml", "a/x.yaml", "a/w.flow.yaml.new", ".hid/v.flow.yaml")
    touch(tmp_path, "node_modules/u.flow.yaml", ".venv/t.flow.yaml")
    found = flow_files([tmp_path, tmp_path / "a", tmp_path / "a" / "z.flow.yaml"])
    assert names(found, tmp_path) == ["a/y.flow.yml", "a/z.flow.yaml", "b.flow.yaml"]


def test_a_file_that_is_named_is_taken_whatever_it_is_called(tmp_path: Path) -> None:
    touch(tmp_path, "odd.yaml", "a.flow.yaml")
    assert names(flow_files([tmp_path / "odd.yaml", tmp_path]), tmp_path) == ["odd.yaml", "a.flow.yaml"]


def test_a_path_that_does_not_exist_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no such file or folder"):
        flow_files([tmp_path, tmp_path / "absent"])


def test_links_to_folders_are_followed_and_no_circle_is_walked_twice(tmp_path: Path) -> None:
    touch(tmp_path, "flows/z/a.flow.yaml", "elsewhere/b.flow.yaml")
    (tmp_path / "flows" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "flows" / "aside").symlink_to("z")
    (tmp_path / "flows" / "z" / "up").symlink_to("..")
    (tmp_path / "elsewhere" / "back").symlink_to(tmp_path / "flows")
    assert names(flow_files([tmp_path / "flows"]), tmp_path) == ["flows/linked/b.flow.yaml", "flows/z/a.flow.yaml"]
    assert names(flow_files([tmp_path / "flows" / "linked"]), tmp_path)[0] == "flows/linked/b.flow.yaml"


def test_a_folder_that_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, "flows/a.flow.yaml", "flows/shut/b.flow.yaml")
    shut = tmp_path / "flows" / "shut"
    scandir = os.scandir

    def denied(path: str) -> Iterator[os.DirEntry[str]]:
        if path == str(shut):
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", denied)  # permissions keep nothing from a test that root runs
    with pytest.raises(UsageError, match="cannot read the folder: permission denied") as caught:
        flow_files([tmp_path])
    assert caught.value.place == str(shut)


def test_the_repository_root_is_the_nearest_mark(tmp_path: Path) -> None:
    touch(tmp_path, ".git/HEAD", "sub/pyproject.toml", "sub/flows/x/a.flow.yaml", "flows/b.flow.yaml")
    assert repository_root(tmp_path / "sub/flows/x/a.flow.yaml") == tmp_path / "sub"
    assert repository_root(tmp_path / "flows/b.flow.yaml") == tmp_path
    assert repository_root(tmp_path / "flows") == tmp_path


PENDING = ("flows/r/a.flow.yaml.new", "cassettes/r/a.cassette.jsonl.new", "flows/r/a.proposal.json")


@pytest.mark.parametrize("name", PENDING)
def test_ci_names_every_file_that_waits(tmp_path: Path, name: str) -> None:
    touch(tmp_path, ".git/HEAD", name, "flows/fine.flow.yaml", "elsewhere/x.flow.yaml.new")
    assert [problem.place for problem in waiting_in_ci([tmp_path], {"CI": "true"})] == [name]


@pytest.mark.parametrize("value", ["", "0", "false", "False"])
def test_outside_ci_nothing_waits(tmp_path: Path, value: str) -> None:
    touch(tmp_path, *PENDING)
    assert waiting_in_ci([tmp_path], {"CI": value}) == waiting_in_ci([tmp_path], {}) == []


@pytest.mark.parametrize("name", ["a", "flows/r/a", "./flows/r/a.flow.yaml", "flows/r/a.flow.yaml.new"])
def test_a_proposal_is_found_by_name_or_path(tmp_path: Path, name: str) -> None:
    touch(tmp_path, *PENDING, "flows/r/b.flow.yaml.new")
    assert proposed_flow(tmp_path, name) == tmp_path / PENDING[0]


def test_a_proposal_that_is_not_there_is_an_error_that_lists_what_is(tmp_path: Path) -> None:
    touch(tmp_path, *PENDING)
    with pytest.raises(UsageError, match="no proposal is called 'b'") as caught:
        proposed_flow(tmp_path, "b")
    assert caught.value.hint == "pending: flows/r/a"


def test_two_proposals_of_one_name_are_told_apart_by_path(tmp_path: Path) -> None:
    touch(tmp_path, "flows/r/a.flow.yaml.new", "flows/s/a.flow.yaml.new")
    with pytest.raises(UsageError, match="2 proposals are called 'a'"):
        proposed_flow(tmp_path, "a")
    assert proposed_flow(tmp_path, "flows/s/a") == tmp_path / "flows/s/a.flow.yaml.new"
