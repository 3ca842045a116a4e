"""Drives headless Chromium over the pipes of its DevTools protocol, which needs no package and no port."""

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or shutil.which("chromium-browser")
PATIENCE = 60.0  # seconds until a command of the protocol counts as unanswered
OPTIONS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--lang=en-US"),
    *("--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--disable-extensions", "--disable-quic", "--remote-debugging-pipe"),
)
KEYS: dict[str, dict[str, object]] = {  # what makes a browser do more than tell the page
    "Enter": {"text": "\r", "windowsVirtualKeyCode": 13},
    "Escape": {"windowsVirtualKeyCode": 27},
    "Tab": {"windowsVirtualKeyCode": 9},
    "Delete": {"windowsVirtualKeyCode": 46},
    "ArrowLeft": {"windowsVirtualKeyCode": 37},
    "ArrowRight": {"windowsVirtualKeyCode": 39},
}
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"

Message = dict[str, Any]  # Any: whatever the protocol sends


class OpenPage(Protocol):
    """What the fixture `open_page` gives: opens the `index.html` of a folder, at the part of its address after `#`."""

    def __call__(self, folder: Path, address: str = "", *, width: int = 1300, scheme: str = "light") -> "Page": ...


def require_chromium() -> str:
    """Return the path of Chromium; without one, skip the test, or fail it where LINNET_NEEDS_BROWSER is set."""
    if CHROMIUM is None:
        give_up = pytest.fail if os.environ.get("LINNET_NEEDS_BROWSER") else pytest.skip
        give_up("there is no Chromium to draw the page; Debian's package is called chromium")
    return CHROMIUM


class Browser:
    """A running Chromium: commands go down one pipe, answers and events come up the other."""

    def __init__(self, program: str, profile: Path) -> None:
        # Chromium reads commands from descriptor 3 and writes answers to 4
        start = 'exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1'
        self._process = subprocess.Popen(
            ["sh", "-c", start, program, *OPTIONS, f"--user-data-dir={profile}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._commands, self._answers = self._process.stdin.fileno(), self._process.stdout.fileno()
        self._read = b""
        self._n_commands = 0
        self.events: dict[str, list[Message]] = defaultdict(list)  # by session
        self.idle_sessions: list[str] = []  # of tabs that a page has left

    def call(self, method: str, *, session: str = "", **parameters: object) -> Message:
        """Return the result of a command; events that come before it are kept."""
        self._n_commands += 1
        number = self._n_commands
        command = {"id": number, "method": method, "params": parameters}
        whole = json.dumps({**command, "sessionId": session} if session else command).encode() + b"\0"
        while whole:
            whole = whole[os.write(self._commands, whole) :]
        for message in self._messages():
            if message.get("id") == number:
                assert "error" not in message, f"{method}: {message['error']}"
                result = message["result"]
                assert isinstance(result, dict)
                return result
        raise AssertionError(f"{method}: Chromium ended")

    def wait_for(self, method: str, session: str) -> None:
        """Wait until the session has had an event of this name."""
        if any(event["method"] == method for event in self.events[session]):
            return
        for message in self._messages():
            if message.get("method") == method and message.get("sessionId") == session:
                return
        raise AssertionError(f"{method}: Chromium ended")

    def open(self, address: str, *, width: int = 1300, height: int = 900, scheme: str = "light") -> "Page":
        """Return a tab of this size and colour scheme that has loaded the address; closed tabs are used again."""
        page = Page(self, self.idle_sessions.pop() if self.idle_sessions else self._new_session())
        page.show_as(width=width, height=height, scheme=scheme)
        page.point_at(0, 0)
        self.events[page.session].clear()
        if "loaderId" not in page.call("Page.navigate", url=address):  # the same page at another place
            page.call("Page.reload")
        self.wait_for("Page.loadEventFired", page.session)
        page.settle()
        return page

    def close(self) -> None:
        """End Chromium and the pipes."""
        with self._process:  # closes the pipes and waits
            with contextlib.suppress(AssertionError, OSError):
                self.call("Browser.close")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(timeout=10)
            self._process.kill()

    def _new_session(self) -> str:
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = str(self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"])
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable", session=session)
        return session

    def _messages(self) -> Iterator[Message]:
        """Yield messages as they come, events after they are kept, until Chromium ends."""
        deadline = time.monotonic() + PATIENCE
        while True:
            while b"\0" in self._read:
                one, _, self._read = self._read.partition(b"\0")
                message = json.loads(one)
                if "method" in message:
                    self.events[message.get("sessionId", "")].append(message)
                yield message
            ready, _, _ = select.select([self._answers], [], [], max(0.0, deadline - time.monotonic()))
            assert ready, f"Chromium has not answered for {PATIENCE:.0f} seconds"
            more = os.read(self._answers, 1 << 20)
            if not more:
                return
            self._read += more


class Page:
    """A tab: what a reader sees of it, does to it, and what it complains about."""

    def __init__(self, browser: Browser, session: str) -> None:
        self.browser = browser
        self.session = session

    def call(self, method: str, **parameters: object) -> Message:
        """Return the result of a command to this tab."""
        return self.browser.call(method, session=self.session, **parameters)

    def evaluate(self, expression: str) -> Any:
        """Return the value of an expression, or of the promise that it is."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def settle(self) -> None:
        """Wait until the page has drawn what it has changed."""
        self.evaluate(TWO_FRAMES)

    def show_as(self, *, width: int, height: int = 900, scheme: str = "light") -> None:
        """Give the tab a size in pixels and a colour scheme."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def go(self, fragment: str) -> None:
        """Change the part of the address after `#`."""
        self.evaluate(f"void (location.hash = {json.dumps(fragment)})")
        self.settle()

    def click(self, selector: str) -> None:
        """Press the mouse on the first such element, where a reader would."""
        x, y = self.point_at_element(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)
        self.settle()

    def point_at_element(self, selector: str) -> tuple[float, float]:
        """Move the mouse to the middle of the first such element, and return where that is."""
        middle = f"""(async () => {{
            const element = document.querySelector({json.dumps(selector)});
            let box = element.getClientRects()[0], before = null;
            do {{ // until it stays: what comes into view may turn out to be taller than it was taken for
                before = box;
                element.scrollIntoView({{ block: "nearest", inline: "nearest", behavior: "instant" }});
                await {TWO_FRAMES};
                box = element.getClientRects()[0];
            }} while (box.top !== before.top);
            return [box.left + box.width / 2, box.top + box.height / 2];
        }})()"""
        x, y = self.evaluate(middle)
        self.point_at(x, y)
        return x, y

    def point_at(self, x: float, y: float) -> None:
        """Move the mouse."""
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def press(self, key: str, *, times: int = 1) -> None:
        """Press a key of the keyboard; keys of one character also type it."""
        more = KEYS.get(key, {"text": key})
        for _ in range(times):
            self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **more)
            self.call("Input.dispatchKeyEvent", type="keyUp", key=key)
        self.settle()

    def write(self, text: str) -> None:
        """Type the text where the focus is."""
        self.call("Input.insertText", text=text)
        self.settle()

    def texts(self, selector: str) -> list[str]:
        """Return the text of every such element that is displayed."""
        shown = "(element) => element.checkVisibility() ? [element.textContent] : []"
        found = self.evaluate(f"[...document.querySelectorAll({json.dumps(selector)})].flatMap({shown})")
        assert isinstance(found, list)
        return found

    def text(self, selector: str) -> str:
        """Return the text of the only such element that is displayed."""
        (found,) = self.texts(selector)
        return found

    def count(self, selector: str) -> int:
        """Return how many such elements there are."""
        found = self.evaluate(f"document.querySelectorAll({json.dumps(selector)}).length")
        assert isinstance(found, int)
        return found

    def html(self) -> str:
        """Return the page as the browser has drawn it, without data and program."""
        whole = self.evaluate("document.documentElement.outerHTML")
        assert isinstance(whole, str)
        return whole.partition('<script type="application/json"')[0]

    def complaints(self) -> list[str]:
        """Return errors and warnings of the console, exceptions, and whatever the security policy refused."""
        found = []
        self.settle()
        for event in self.browser.events[self.session]:
            parameters = event["params"]
            if event["method"] == "Runtime.exceptionThrown":
                found.append(str(parameters["exceptionDetails"]))
            elif event["method"] == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
                found.append(str(parameters["args"]))
            elif event["method"] == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
                found.append(parameters["entry"]["text"])
        return found

    def requests(self) -> list[str]:
        """Return the addresses that the page has asked for, without the fragment."""
        events = self.browser.events[self.session]
        return [event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"]

    def screenshot(self, path: Path, *, is_whole: bool = True) -> None:
        """Save a picture of the whole page, or of what is in view."""
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=is_whole, format="png")
        path.write_bytes(base64.b64decode(picture["data"]))

    def close(self) -> None:
        """Leave the tab to the next page."""
        self.browser.idle_sessions.append(self.session)
