"""Chromium without a window, spoken to through a pipe in the protocol of its developer tools; no other package needed.

Widths below 500 pixels, dark mode and scripts in pages whose policy forbids them are possible only in this way.
"""

import base64
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LOOK = ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--force-color-profile=srgb")
ALONE = ("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync")
FLAGS = (*LOOK, *ALONE)
TALLEST = 12_000


class Browser:
    """One page of a running Chromium."""

    def __init__(self, to: int, back: int) -> None:
        self._to, self._back, self._rest, self._asked = to, back, b"", 0
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.ask("Page.enable")

    def ask(self, method: str, **params: Any) -> Any:
        """The answer of the page to a command."""
        return self._ask(method, self._session, **params)

    def _ask(self, method: str, session: str | None = None, **params: Any) -> Any:
        self._asked += 1
        words = {"id": self._asked, "method": method, "params": params, **({"sessionId": session} if session else {})}
        os.write(self._to, json.dumps(words).encode() + b"\0")
        while True:
            heard = self._hear()
            if heard.get("id") == self._asked:
                assert "error" not in heard, (method, heard)
                return heard["result"]

    def _hear(self) -> Any:
        while b"\0" not in self._rest:
            part = os.read(self._back, 1 << 20)
            assert part, "the browser is gone"
            self._rest += part
        first, _, self._rest = self._rest.partition(b"\0")
        return json.loads(first)

    def show(self, page: Path, width: int, dark: bool = False) -> None:
        """Afterwards the page is shown at this width."""
        theme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.ask("Emulation.setEmulatedMedia", features=theme)
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=width < 500)
        self.ask("Page.navigate", url=page.resolve().as_uri())
        while self.value("document.readyState + (location.protocol == 'file:')") != "completetrue":
            pass

    def value(self, script: str) -> Any:
        """What the script comes to in the page."""
        found = self.ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def picture(self, top: float = 0, most: float = TALLEST) -> bytes:
        """The page from `top` on, as PNG."""
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": top, "width": size["width"], "height": min(size["height"] - top, most), "scale": 1}
        found = self.ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        return base64.b64decode(found["data"])

    def paper(self) -> bytes:
        """The page as PDF."""
        found = self.ask("Page.printToPDF", preferCSSPageSize=True, printBackground=False)
        return base64.b64decode(found["data"])


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """A browser whose profile is kept in the folder, as long as it is needed."""
    theirs, ours = os.pipe()
    back, answers = os.pipe()

    def wired() -> None:
        # The browser reads from 3 and writes to 4; both copies are made of higher numbers first.
        high = os.dup(theirs), os.dup(answers)
        os.dup2(high[0], 3)
        os.dup2(high[1], 4)

    words = [str(CHROMIUM), *FLAGS, f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"]
    running = subprocess.Popen(
        words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=wired, close_fds=False
    )
    os.close(theirs)
    os.close(answers)
    try:
        yield Browser(ours, back)
    finally:
        running.terminate()
        running.wait(30)
        os.close(ours)
        os.close(back)
