"""The same from C, the shell, Node and Perl: what changes a file is a call of the system, whoever makes it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from runwright.record.command import observe
from runwright.record.observe import cannot_observe

UNABLE = cannot_observe()
pytestmark = pytest.mark.skipif(bool(UNABLE), reason=UNABLE)

SHELL = r"""
echo new > shell; echo more >> a; : > cut; cat a > /dev/null
cp a copy; mv b moved; ln a hard; ln -s a soft; rm gone; mkdir -p deep/er; touch deep/er/file
sed -i s/one/two/ edited; printf same > same; printf x | tee teed | cat > piped
( cd deep && echo 1 > ../from-below ); chmod 600 private; truncate -s 2 short
dd if=a of=dd bs=4 count=1 2>/dev/null; install -m 755 a tool
rm -f missing; mkdir deep 2>/dev/null; cat missing 2>/dev/null; test -e a; ls > /dev/null
( setsid sh -c 'sleep 0.1; echo late > late' & )
"""
SHELL_TOLD = """
create shell; append a; truncate cut; create copy; move b -> moved; link hard -> a; symlink soft; delete gone
mkdir deep; mkdir deep/er; create deep/er/file; modify edited; create teed; create piped; create from-below
chmod private; truncate short; create dd; create tool; create late
"""
NODE = r"""
const fs = require("fs"), p = fs.promises, cp = require("child_process");
fs.writeFileSync("node", "1"); fs.appendFileSync("a", "more\n"); fs.renameSync("b", "moved");
fs.rmSync("gone"); fs.mkdirSync("deep/er", {recursive: true}); fs.copyFileSync("a", "copy");
fs.writeFileSync("same", "same");
cp.execSync("echo child > child");
fs.readFileSync("a"); try { fs.unlinkSync("missing") } catch {}
const stream = fs.createWriteStream("streamed"); stream.write("x"); stream.end("y");
Promise.all([...Array(20).keys()].map(i => p.writeFile(`deep/${i}`, "x"))).then(() => p.rm("cut"));
new (require("worker_threads").Worker)('require("fs").writeFileSync("worker", "w")', {eval: true});
"""
NODE_TOLD = """
create node; append a; move b -> moved; delete gone; mkdir deep; mkdir deep/er; create copy; create child
create streamed; create worker; delete cut; """ + "; ".join(f"create deep/{number}" for number in range(20))
PERL = r"""
open my $f, ">", "perl"; print $f "1"; close $f; open $f, ">>", "a"; print $f "more\n"; close $f;
rename "b", "moved"; unlink "gone", "missing"; mkdir "deep"; truncate "short", 2; open $f, "+<", "same"; close $f;
"""
PERL_TOLD = "create perl; append a; move b -> moved; delete gone; mkdir deep; truncate short"
C_TOLD = """
create stdio; append a; create by-vfork; create mapped; create vector; create cloned; move b -> c
""" + "; ".join(f"create thread-{number}" for number in range(8))


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("a", "b", "cut", "gone", "edited", "private", "short"):
        (tmp_path / name).write_text("one\n")
    (tmp_path / "same").write_text("same")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def seen(command: list[str]) -> list[str]:
    found = observe(command, wait=20)
    assert found.status == 0
    assert len(found.trace.records) == len(found.trace.effects), "a fault"
    effects = [each.side_effect for each in found.trace.effects]
    return sorted(
        f"{each.op} {each.target}" + (f" -> {each.detail['to']}" if "to" in each.detail else "") for each in effects
    )


def wanted(text: str) -> list[str]:
    return sorted(each.strip() for line in text.strip().splitlines() for each in line.split(";") if each.strip())


def test_shell(workspace: Path) -> None:
    assert seen(["sh", "-c", SHELL]) == wanted(SHELL_TOLD)


@pytest.mark.skipif(shutil.which("perl") is None, reason="perl is not installed")
def test_perl(workspace: Path) -> None:
    assert seen(["perl", "-e", PERL]) == wanted(PERL_TOLD)


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_node(workspace: Path) -> None:
    assert seen(["node", "-e", NODE]) == wanted(NODE_TOLD)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
def test_c(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    program = tmp_path_factory.mktemp("c") / "ways"
    source = Path(__file__).parent / "ways.c"
    subprocess.run(["gcc", "-O1", "-pthread", "-o", program, source], check=True)
    assert seen([str(program)]) == wanted(C_TOLD)
