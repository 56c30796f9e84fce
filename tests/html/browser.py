# SPDX-License-Identifier: MIT
"""A headless Chromium, driven through chromedriver's WebDriver interface (plain
HTTP and JSON, so the standard library is enough)."""
import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") \
    or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")
WHY_NOT = None if CHROMIUM and DRIVER else \
    "chromium and chromedriver are not installed (tools/setup.sh test)"

KEYS = {"Left": "\ue012", "Right": "\ue014", "Home": "\ue011", "End": "\ue010",
        "Tab": "\ue004", "Enter": "\ue007"}


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Browser:
    def __init__(self, width=1400, height=1000):
        self.folder = tempfile.TemporaryDirectory(prefix="heddle-html-")
        self.port = free_port()
        self.driver = subprocess.Popen(
            [DRIVER, f"--port={self.port}"], stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.folder.name})
        self.session = None
        try:
            self._wait()
            self._start(width, height)
        except BaseException:
            self.close()
            raise

    def _wait(self):
        for _ in range(300):
            try:
                if self._call("GET", "/status")["ready"]:
                    return
            except (urllib.error.URLError, ConnectionError):
                pass
            time.sleep(0.1)
        raise RuntimeError("chromedriver does not start")

    def _start(self, width, height):
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu",
                     "--disable-dev-shm-usage", "--force-device-scale-factor=1",
                     f"--window-size={width},{height}",
                     f"--user-data-dir={self.folder.name}/profile"]
        answer = self._call("POST", "/session", {"capabilities": {
            "alwaysMatch": {
                "browserName": "chrome",
                "goog:loggingPrefs": {"browser": "ALL"},
                "goog:chromeOptions": {"binary": CHROMIUM,
                                       "args": arguments}}}})
        self.session = f"/session/{answer['sessionId']}"

    def _call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", data=data, method=method,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as e:
            raise RuntimeError(e.read().decode()) from None

    def call(self, method, path, body=None):
        return self._call(method, self.session + path, body)

    def open(self, path):
        self.call("POST", "/url", {"url": Path(path).resolve().as_uri()})

    def js(self, script, *args):
        """What the body of a function yields in the page."""
        return self.call("POST", "/execute/sync",
                         {"script": script, "args": list(args)})

    def press(self, *keys):
        actions = []
        for key in keys:
            key = KEYS.get(key, key)
            actions += [{"type": "keyDown", "value": key},
                        {"type": "keyUp", "value": key}]
        self.call("POST", "/actions", {"actions": [
            {"type": "key", "id": "keyboard", "actions": actions}]})

    def hover(self, selector):
        element = self.call("POST", "/element",
                            {"using": "css selector", "value": selector})
        self.call("POST", "/actions", {"actions": [{
            "type": "pointer", "id": "mouse",
            "parameters": {"pointerType": "mouse"},
            "actions": [{"type": "pointerMove", "duration": 0, "x": 0, "y": 0,
                         "origin": element}]}]})

    def click(self, selector):
        element = self.call("POST", "/element",
                            {"using": "css selector", "value": selector})
        (name,) = element.values()
        self.call("POST", f"/element/{name}/click", {})

    def log(self):
        """What the page wrote to the console, errors and refusals included."""
        return [entry["message"]
                for entry in self.call("POST", "/se/log", {"type": "browser"})]

    def emulate(self, **features):
        """Media features, such as prefers-color-scheme, or media='print'."""
        media = features.pop("media", "")
        self.call("POST", "/goog/cdp/execute", {
            "cmd": "Emulation.setEmulatedMedia",
            "params": {"media": media, "features": [
                {"name": name.replace("_", "-"), "value": value}
                for name, value in features.items()]}})

    def screenshot(self, path, selector=None):
        """Of the window, or of an element."""
        where = "/screenshot"
        if selector:
            (name,) = self.call("POST", "/element", {
                "using": "css selector", "value": selector}).values()
            where = f"/element/{name}/screenshot"
        Path(path).write_bytes(base64.b64decode(self.call("GET", where)))

    def close(self):
        if self.session:
            try:
                self.call("DELETE", "")
            except (RuntimeError, OSError):
                pass
        self.driver.terminate()
        try:
            self.driver.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self.driver.kill()
        self.folder.cleanup()
