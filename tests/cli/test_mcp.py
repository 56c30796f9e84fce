#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle mcp, as an agent would use it.

    tests/cli/test_mcp.py build/heddle [WORD]
"""
import json
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import tap
from heddle import EMPTY_MAIN, HEDDLE, MP, WORK, write
from schema import fits
from tap import test

TOOLS = ["check", "why", "compare", "explore", "replay", "optimise"]


def talk(*messages):
    """What comes back for some messages, as a list."""
    text = "".join(m if isinstance(m, str) else json.dumps(m) + "\n"
                   for m in messages)
    result = subprocess.run([HEDDLE, "mcp"], input=text, text=True, cwd=WORK,
                            capture_output=True, timeout=120)
    assert result.returncode == 0 and not result.stderr, result
    return [json.loads(line) for line in result.stdout.splitlines()]


def request(method, params=None, id=1):
    message = {"jsonrpc": "2.0", "id": id, "method": method}
    return {**message, "params": params} if params is not None else message


def call(name, **arguments):
    """The result of one call of a tool."""
    arguments = {k.replace("_", "-"): v for k, v in arguments.items()}
    (reply,) = talk(request("tools/call",
                            {"name": name, "arguments": arguments}))
    assert "result" in reply, reply
    (content,) = reply["result"]["content"]
    assert content["type"] == "text", content
    return reply["result"], content["text"]


def refused(name, **arguments):
    (reply,) = talk(request("tools/call",
                            {"name": name, "arguments": arguments}))
    assert reply["error"]["code"] == -32602, reply
    return reply["error"]["message"]


@test
def an_agent_says_hello():
    first, ping = talk(
        request("initialize", {"protocolVersion": "2024-11-05",
                               "capabilities": {},
                               "clientInfo": {"name": "t", "version": "1"}},
                id="one"),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("ping", id=7))
    assert first["id"] == "one" and first["jsonrpc"] == "2.0", first
    result = first["result"]
    assert result["protocolVersion"] == "2024-11-05", result
    assert result["capabilities"] == {"tools": {}}, result
    assert result["serverInfo"]["name"] == "heddle", result
    assert ping == {"jsonrpc": "2.0", "id": 7, "result": {}}, ping
    (other,) = talk(request("initialize", {"protocolVersion": "1999-01-01"}))
    assert other["result"]["protocolVersion"] == "2025-06-18", other


@test
def each_tool_has_a_schema():
    (reply,) = talk(request("tools/list"))
    tools = reply["result"]["tools"]
    assert [t["name"] for t in tools] == TOOLS
    for tool in tools:
        schema = tool["inputSchema"]
        assert schema["type"] == "object", schema
        assert not schema["additionalProperties"], schema
        assert tool["description"]
        for name, member in schema["properties"].items():
            assert member["type"] in ("string", "boolean", "integer", "number",
                                      "array"), (name, member)
            assert member["description"], name
            assert (member["type"] == "array") == ("items" in member), member
        assert set(schema["required"]) <= set(schema["properties"]), schema
    optimise = tools[-1]["inputSchema"]["properties"]
    assert optimise["from"]["enum"] == ["source", "sc"], optimise["from"]
    # Nothing that an agent says writes a file.
    for tool in tools:
        assert not {"output", "html", "dot", "sarif", "junit"} & set(
            tool["inputSchema"]["properties"]), tool["name"]


@test
def check_of_a_source():
    result, text = call("check", source=MP)
    assert not result["isError"] and "Error: assertion" in text, text
    assert "at <stdin>:17 in main" in text, text
    result, text = call("check", source=MP, model="sc")
    assert "No errors" in text and "under sc" in text, text


@test
def check_of_files_as_data():
    path = write("mp.c", MP.replace("int main", "#ifdef M\nint main") + "#endif")
    result, text = call("check", files=[path], define=["M"], json=True,
                        all_errors=True, max_executions=100)
    report = result["structuredContent"]
    assert json.loads(text) == report
    fits(report, "check")
    assert report["verdict"] == "error", report


@test
def why():
    source = MP.replace("assert(", "(void)(")
    result, text = call("why", source=source, condition="data == 0")
    assert not result["isError"] and "no" in text.lower(), text
    result, _ = call("why", source=source, condition="flag == 1", json=True)
    fits(result["structuredContent"], "why")
    assert result["structuredContent"]["answer"] == "yes"
    assert "condition" in refused("why", source=source)


@test
def compare():
    result, text = call("compare", source=MP, models="sc,rc11")
    assert "sc" in text and "error assertion" in text, text


@test
def explore():
    result, text = call("explore", source=MP, reads=True)
    assert "data (rlx) can read" in text and "(the initial value)" in text, text


@test
def replay():
    report = call("check", source=MP, json=True)[0]["structuredContent"]
    result, text = call("replay", source=MP, execution=report["replay"])
    assert not result["isError"] and "Error: assertion" in text, text
    result, text = call("replay", source=MP, execution="0123456789abcdef")
    assert result["isError"] and "no execution has the name" in text, text


@test
def optimise():
    result, text = call("optimise", source=MP, repair=True, diff=True)
    assert "+  atomic_store_explicit(&flag, 1, memory_order_release)" in text


@test
def bad_input_is_an_error_of_the_tool():
    result, text = call("check", source="int main(void) { oops }")
    assert result["isError"] and "<stdin>:1:18" in text, text
    result, text = call("check", files=["nowhere.c"])
    assert result["isError"] and "nowhere.c" in text, text
    result, text = call("check", source=EMPTY_MAIN, model="nothing")
    assert result["isError"] and "nothing" in text, text


@test
def bad_arguments_are_refused():
    assert "nonsense" in refused("check", source=EMPTY_MAIN, nonsense=1)
    assert "output" in refused("check", source=EMPTY_MAIN, output="x")
    assert "either" in refused("check")
    assert "either" in refused("check", source=EMPTY_MAIN, files=["a.c"])
    assert "list of paths" in refused("check", files=[3])
    assert "another type" in refused("check", source=EMPTY_MAIN, model=3)
    assert "another type" in refused("check", source=EMPTY_MAIN, full="yes")
    assert "no such tool" in refused("rm", files=["a.c"])


@test
def values_are_no_options():
    """What an agent says cannot become another option."""
    target = WORK / "written"
    for arguments in ({"files": [f"--output={target}", "e.c"]},
                      {"source": EMPTY_MAIN, "model": f"--output={target}"},
                      {"source": EMPTY_MAIN, "define": ["A", f"-o{target}"]}):
        call("check", **arguments)
        assert not target.exists(), arguments


@test
def what_is_no_message_is_told():
    bad, unknown, good = talk("{oops\n", request("nothing"), request("ping"))
    assert bad["error"]["code"] == -32700 and bad["id"] is None, bad
    assert unknown["error"]["code"] == -32601, unknown
    assert good["result"] == {}, good
    (reply,) = talk({"jsonrpc": "2.0", "id": 3})
    assert reply["error"]["code"] == -32600, reply
    assert talk("\n\n") == []


if __name__ == "__main__":
    tap.main(sys.argv[2:])
