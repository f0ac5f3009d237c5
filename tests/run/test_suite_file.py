"""`suite.yaml`: what it says, how a wrong one is refused, and which one governs a flow."""

import os
import re
from pathlib import Path

import pytest

from runwright.errors import CapabilityError, FlowError
from runwright.run.suite_file import SuiteFile, find_suite, load_suite
from runwright.trace import schema


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.flow.yaml", "b.flow.yml", "deep/c.flow.yaml"):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text("")
    return tmp_path


def suite(folder: Path, text: str) -> SuiteFile:
    (folder / "suite.yaml").write_text(text)
    return load_suite(folder / "suite.yaml")


WHOLE = """\
suite: 1
min_version: 0.1.0
env: {REGION: eu, RETRIES: 3, FAST: true, TOKEN: "${TOKEN}"}
env_from: ./mint.sh
before_each: ./seed.sh "$RUNWRIGHT_FLOW"
after_each: ./clean.sh
timeout: 2.5
order: [deep/c.flow.yaml, ./a.flow.yaml]
"""


def test_a_whole_file(folder: Path) -> None:
    found = suite(folder, WHOLE)
    assert {name: value for name, (value, _) in found.env.items()} == {
        "REGION": "eu",
        "RETRIES": "3",
        "FAST": "true",
        "TOKEN": "${TOKEN}",
    }
    assert (found.env_from, found.before_each) == ("./mint.sh", './seed.sh "$RUNWRIGHT_FLOW"')
    assert (found.after_each, found.timeout, found.folder) == ("./clean.sh", 2.5, folder)
    assert found.order == (folder / "deep" / "c.flow.yaml", folder / "a.flow.yaml")
    assert (found.flows, found.declared_by, found.notes) == (None, "runwright", ())


def test_a_flowproof_file_and_what_of_it_means_nothing_here(folder: Path) -> None:
    found = suite(
        folder,
        "min_version: 99.1.0\nbrowser: {viewport: {width: 9}}\nidentities: {viewer: {cookies: []}}\n"
        "flows: [a.flow.yaml]\ndepends_on: {a.flow.yaml: [b.flow.yml]}\nstop_on_failure: true\n",
    )
    assert (found.declared_by, found.flows) == ("flowproof", (folder / "a.flow.yaml",))
    told = "\n".join(found.notes)
    assert "$.min_version: 99.1.0 is a version of flowproof's, and was not checked" in told
    assert "$.browser: 'browser' is for web flows" in told
    assert "$.identities: 'identities' is for web flows" in told
    assert "$.depends_on: 'depends_on' is not followed" in told
    assert "$.stop_on_failure: 'stop_on_failure' is not followed" in told
    assert "$.flows: not listed, so run only where named: b.flow.yml, deep/c.flow.yaml" in told


REFUSED = [
    ("", "", "the file is empty", ""),
    ("[1]", ":1: $", "a suite file is a mapping", ""),
    ("a: 1\n---\nb: 2", ":2", "a second document", ""),
    ("suite: 2", ":1: $.suite", "newer than this version", "upgrade"),
    ("suite: one", ":1: $.suite", "1 was expected", ""),
    ("env: {A: b}\nbefor_each: x", ":2: $.befor_each", "unknown key 'befor_each'", "did you mean 'before_each'?"),
    ("xyz: 1", ":1: $.xyz", "unknown key", "known keys: suite, min_version, env"),
    ("env: {A: b}\nenv: {C: d}", ":2", "stands here a second time", ""),
    ("env: {A B: c}", ":1: $.env", "does not match", ""),
    ("env: {A: [c]}", ":1: $.env.A", "is not of type", ""),
    ("env: {A: null}", ":1: $.env.A", "is not of type", ""),
    ("env_from: ''", ":1: $.env_from", "non-empty", ""),
    ("env_from: [a, b]", ":1: $.env_from", "is not of type", ""),
    ("before_each: true", ":1: $.before_each", "is not of type", ""),
    ("timeout: 0", ":1: $.timeout", "", ""),
    ("min_version: '1.2'", ":1: $.min_version", "does not match", ""),
    ('min_version: "1.2.3\\n"', ":1: $", "does not fit", ""),
    ("min_version: 1.2", ":1: $.min_version", "is not of type", ""),
    ("order: a.flow.yaml", ":1: $.order", "is not of type", ""),
    ("order: [a.flow.yaml, gone.flow.yaml]", ":1: $.order[1]", "there is no flow 'gone.flow.yaml'", "paths are from"),
    ("order: [a.flow.yaml, ./a.flow.yaml]", ":1: $.order[1]", "stands here a second time", ""),
    ("order: [a.flow.yaml, a.flow.yaml]", ":1: $.order", "non-unique", ""),
    ("order: [../x/a.flow.yaml]", ":1: $.order[0]", "is not below", ""),
    ("order: [/etc/a.flow.yaml]", ":1: $.order[0]", "is not below", ""),
    ("order: [suite.yaml]", ":1: $.order[0]", "is no flow file", "*.flow.yaml"),
    ("flows: []", ":1: $.flows", "", ""),
    ("flows: [gone.flow.yaml]", ":1: $.flows[0]", "there is no flow", ""),
    ("flows: [a.flow.yaml]\norder: [a.flow.yaml]", ":2: $.order", "'flows' is an order already", "drop one"),
    ("depends_on: {gone.flow.yaml: []}", ":1: $.depends_on['gone.flow.yaml']", "there is no flow", ""),
    ("depends_on: {a.flow.yaml: [gone.flow.yaml]}", ":1: $.depends_on['a.flow.yaml'][0]", "there is no flow", ""),
]


@pytest.mark.parametrize(("text", "place", "why", "hint"), REFUSED)
def test_a_wrong_file_is_refused_with_its_place(folder: Path, text: str, place: str, why: str, hint: str) -> None:
    with pytest.raises(FlowError) as caught:
        suite(folder, text)
    assert caught.value.place == f"{folder / 'suite.yaml'}{place}"
    assert why in caught.value.message
    assert hint in caught.value.hint


def test_a_newer_version_that_is_wanted_is_a_capability(folder: Path) -> None:
    suite(folder, "suite: 1\nmin_version: 0.0.99\n")
    with pytest.raises(CapabilityError, match=r"99\.0\.0 is wanted, this is 0\."):
        suite(folder, "suite: 1\nmin_version: 99.0.0\n")


# --- which one -------------------------------------------------------------------------------------


def test_the_nearest_one_upward_within_the_repository(folder: Path) -> None:
    repository = folder / "deep"
    (repository / ".git").mkdir()
    flow = repository / "flows" / "x.flow.yaml"
    flow.parent.mkdir()
    (folder / "suite.yaml").write_text("")
    assert find_suite(flow) is None
    (repository / "suite.yaml").write_text("")
    assert find_suite(flow) == repository / "suite.yaml"
    (flow.parent / "suite.yaml").write_text("")
    assert find_suite(flow) == flow.parent / "suite.yaml"
    assert find_suite(folder / "a.flow.yaml") == folder / "suite.yaml"


def test_a_path_is_taken_as_it_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "suite.yaml").write_text("")
    monkeypatch.chdir(folder / "deep")
    assert find_suite(Path("../deep/c.flow.yaml")) == folder / "suite.yaml"


@pytest.mark.parametrize("name", ["suite.yml", "Suite.yaml"])
def test_a_file_that_would_silently_not_be_read_is_refused(folder: Path, name: str) -> None:
    (folder / name).write_text("suite: 1\n")
    with pytest.raises(FlowError, match="is not read"):
        find_suite(folder / "deep" / "c.flow.yaml")
    (folder / "suite.yaml").write_text("suite: 1\n")
    assert find_suite(folder / "deep" / "c.flow.yaml") == folder / "suite.yaml"


def test_what_is_there_and_is_no_file_is_refused(folder: Path) -> None:
    path = folder / "suite.yaml"
    path.symlink_to("gone.yaml")
    with pytest.raises(FlowError, match="the suite file is a link that leads nowhere"):
        find_suite(folder / "deep" / "c.flow.yaml")
    path.unlink()
    path.mkdir()
    with pytest.raises(FlowError, match="the suite file is no file"):
        find_suite(folder / "deep" / "c.flow.yaml")


def test_another_users_file_outside_a_repository_is_not_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "suite.yaml"
    path.write_text("env_from: ./evil\n")
    mine = os.getuid()
    if mine == 0:
        os.chown(path, 12345, 12345)  # root's own files are trusted, and only root can give one away
    else:
        monkeypatch.setattr(os, "getuid", lambda: mine + 1)
    with pytest.raises(FlowError, match="another user"):
        find_suite(folder / "a.flow.yaml")
    (folder / ".git").mkdir()
    assert find_suite(folder / "a.flow.yaml") == path


# --- the schema and the page agree -----------------------------------------------------------------

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "suite.md"


def test_every_key_is_described_and_on_the_page() -> None:
    rows = [row for row in PAGE.read_text(encoding="utf-8").splitlines() if row.startswith("| `")]
    told = {name for row in rows for name in re.findall(r"`(\w+)`", row.split(" | ")[0])}
    keys = schema("suite-v1")["properties"]
    assert told == set(keys)
    assert [name for name, key in keys.items() if not key.get("description")] == []


def test_the_examples_of_the_page_are_suite_files(folder: Path) -> None:
    examples = re.findall(r"```yaml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        for name in re.findall(r"[\w/-]+\.flow\.yaml", example):
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).touch()
        suite(folder, example)
