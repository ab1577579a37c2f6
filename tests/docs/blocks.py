"""Blocks of the documentation: found in the text, run in a folder, their shown output held against the real one."""

import io
import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!-- ([a-z ]+?)(?:: (.*?))? -->\s*$")
PROGRESS = re.compile(r"^\d+\.\d s  ")
PLAIN_TOOLS = ("head", "cat", "ls", "tail")
ELISION = "..."


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, its text, the comment right before it, and whether it follows another at once."""

    page: str
    line: int
    language: str
    text: str
    mark: str = ""
    about: str = ""
    follows: bool = False

    @property
    def runs(self) -> bool:
        """Whether this block is run: Python and console blocks are, unless a comment gives a reason against it."""
        return self.language in ("python", "console", "sh") and self.mark not in ("not run", "excerpt")


def pages() -> list[Path]:
    """Every page of the documentation."""
    found = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")]
    return found + sorted((ROOT / "docs").rglob("*.md"))


def blocks_of(page: Path) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    end = 0
    for found in FENCE.finditer(text):
        before = text[end : found.start()]
        comment = COMMENT.search(before)
        mark, about = (comment.group(1), comment.group(2) or "") if comment else ("", "")
        line = text.count("\n", 0, found.start()) + 1
        follows = end > 0 and not before.strip()
        yield Block(str(page.relative_to(ROOT)), line, found.group(1), found.group(2), mark, about, follows)
        end = found.end()


def run_page(page: Path, names: dict[str, object]) -> int:
    """Runs the blocks of a page in the current folder; says how many ran."""
    printed: str | None = None
    number = 0
    for block in blocks_of(page):
        if block.language == "text" and block.follows and printed is not None:
            require_shown(block, block.text.splitlines(), printed)
        printed = None
        if block.mark == "write":
            Path(block.about).write_text(block.text, encoding="utf-8")
        elif block.runs:
            printed = run_python(block, names) if block.language == "python" else run_console(block)
            number += 1
    return number


def run_python(block: Block, names: dict[str, object]) -> str:
    """What the block prints."""
    out = io.StringIO()
    # The lines of the block count from the top of the page, so that a traceback names the right one.
    code = compile("\n" * block.line + block.text, block.page, "exec")
    with redirect_stdout(out):
        exec(code, names)
    return out.getvalue()


def run_console(block: Block) -> None:
    """Every command of the block ends as the block says and prints what it shows."""
    code = 0
    for command, shown in _commands(block):
        if command == "echo $?":
            assert shown == [str(code)], f"{block.page}:{block.line}: ended with {code}"
            code = 0
            continue
        assert code == 0, f"{block.page}:{block.line}: the command before `{command}` ended with {code}"
        code, printed = run_command(command)
        if shown:
            require_shown(block, shown, printed)
    assert code == 0, f"{block.page}:{block.line}: the last command ended with {code}"


def _commands(block: Block) -> Iterator[tuple[str, list[str]]]:
    command, shown = "", list[str]()
    for line in block.text.splitlines():
        if line.startswith("$ "):
            if command:
                yield command, shown
            command, shown = line[2:].strip(), []
        else:
            shown.append(line)
    assert command, f"{block.page}:{block.line}: no line begins with `$ `; mark the block `not run` if it must not run"
    yield command, shown


def run_command(command: str) -> tuple[int, str]:
    """The exit code of a command and what it prints; `tacit` runs in this process."""
    words = shlex.split(command)
    if words[0] == "cd":
        os.chdir(words[1])
        return 0, ""
    if words[0] == "tacit":
        return run_tacit(words)
    assert words[0] in PLAIN_TOOLS, f"`{command}` is none of tacit, cd, {', '.join(PLAIN_TOOLS)}"
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def run_tacit(words: list[str]) -> tuple[int, str]:
    """The same for the command line of the package, progress left out."""
    from tacit.cli import main

    out, err = io.StringIO(), io.StringIO()
    code: object = 0
    with patch.object(sys, "argv", words), redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            code = end.code
    errors = [line for line in err.getvalue().splitlines() if not PROGRESS.match(line)]
    return int(str(code or 0)), out.getvalue() + "\n".join(errors)


def require_shown(block: Block, shown: list[str], printed: str) -> None:
    """The shown lines are the printed ones: in order, without gaps but where `...` stands, cut but where `…` ends."""
    wanted = [line.rstrip() for line in shown if line.strip()]
    lines = [line.rstrip() for line in printed.splitlines() if line.strip()]
    position, gap = 0, False
    for want in wanted:
        if want.strip() == ELISION:
            gap = True
            continue
        there = next((i for i in range(position, len(lines) if gap else position + 1) if _alike(want, lines, i)), None)
        assert there is not None, f"{block.page}:{block.line}: not printed here: {want!r}\n{printed}"
        position, gap = there + 1, False
    assert gap or position == len(lines), f"{block.page}:{block.line}: more is printed: {lines[position]!r}"


def _alike(want: str, lines: list[str], i: int) -> bool:
    if i >= len(lines):
        return False
    return lines[i].startswith(want[:-1].rstrip()) if want.endswith("…") else lines[i] == want


def links_of(text: str) -> Iterator[str]:
    """The targets of links and images outside code."""
    prose = re.sub(r"`[^`\n]*`", "", FENCE.sub("", text))
    for found in re.finditer(r"!?\[[^\]]*\]\(([^)\s]+)\)", prose):
        yield found.group(1)
    for found in re.finditer(r"<(?:img|a)[^>]*?(?:src|href)=\"([^\"]+)\"", prose):
        yield found.group(1)


def anchors_of(text: str) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    seen: Counter[str] = Counter()
    anchors = set()
    for heading in re.findall(r"^#{1,6} (.+)$", FENCE.sub("", text), re.MULTILINE):
        plain = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        anchors.add(f"{plain}-{seen[plain]}" if seen[plain] else plain)
        seen[plain] += 1
    return anchors
