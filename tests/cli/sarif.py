# SPDX-License-Identifier: MIT
"""Checks a SARIF 2.1.0 log against the parts of the standard that Heddle
writes: which members an object may have, which it must have, and what they
are. Written from the OASIS text (section numbers in brackets); unknown members
are complaints, so a typing error in the writer does not pass."""

TEXT, NUMBER, BOOL = "text", "number", "bool"
URI = "uri"


def one_of(*words):
    return ("one of", words)


def list_of(kind, least=0):
    return ("list of", kind, least)


# name: {member: (kind, is required)}
OBJECTS = {
    "log": {"$schema": (URI, False), "version": (one_of("2.1.0"), True),
            "runs": (list_of("run"), True)},                          # 3.13
    "run": {"tool": ("tool", True), "results": (list_of("result"), False),
            "invocations": (list_of("invocation"), False),
            "columnKind": (one_of("utf16CodeUnits", "unicodeCodePoints"),
                           False)},                                   # 3.14
    "tool": {"driver": ("driver", True)},                             # 3.18
    "driver": {"name": (TEXT, True), "version": (TEXT, False),
               "rules": (list_of("rule"), False)},                    # 3.19
    "rule": {"id": (TEXT, True), "shortDescription": ("message", False),
             "fullDescription": ("message", False), "helpUri": (URI, False),
             "defaultConfiguration": ("configuration", False)},       # 3.49
    "configuration": {"level": (one_of("none", "note", "warning", "error"),
                                False)},                              # 3.50
    "invocation": {"executionSuccessful": (BOOL, True),
                   "toolExecutionNotifications":
                       (list_of("notification"), False)},             # 3.20
    "notification": {"level": (one_of("none", "note", "warning", "error"),
                               False),
                     "message": ("message", True)},                   # 3.58
    "message": {"text": (TEXT, True)},                                # 3.11
    "result": {"ruleId": (TEXT, False), "ruleIndex": (NUMBER, False),
               "level": (one_of("none", "note", "warning", "error"), False),
               "message": ("message", True),
               "locations": (list_of("location"), False),
               "relatedLocations": (list_of("location"), False),
               "codeFlows": (list_of("code flow"), False),
               "partialFingerprints": ("fingerprints", False),
               "properties": ("properties", False)},                  # 3.27
    "fingerprints": {"heddleFinding/v1": (TEXT, True)},           # 3.27.17
    "location": {"id": (NUMBER, False), "message": ("message", False),
                 "physicalLocation": ("physical location", False),
                 "logicalLocations": (list_of("logical location"),
                                      False)},                        # 3.28
    "physical location": {"artifactLocation": ("artifact", True),
                          "region": ("region", False)},               # 3.29
    "artifact": {"uri": (URI, True)},                                 # 3.4
    "region": {"startLine": (NUMBER, True),
               "startColumn": (NUMBER, False)},                       # 3.30
    "logical location": {"name": (TEXT, True), "kind": (TEXT, False)},  # 3.33
    "code flow": {"message": ("message", False),
                  "threadFlows": (list_of("thread flow", 1), True)},  # 3.36
    "thread flow": {"id": (TEXT, False),
                    "locations": (list_of("step", 1), True)},         # 3.37
    "step": {"location": ("location", True),
             "executionOrder": (NUMBER, False),
             "importance": (one_of("important", "essential",
                                   "unimportant"), False)},           # 3.38
}


def check_text(value, where):
    assert isinstance(value, str) and value, f"{where}: not a text: {value!r}"


def check(value, kind, where):
    if isinstance(kind, tuple) and kind[0] == "one of":
        assert value in kind[1], f"{where}: {value!r} is none of {kind[1]}"
    elif isinstance(kind, tuple):
        assert isinstance(value, list), f"{where}: not a list"
        assert len(value) >= kind[2], f"{where}: too short"
        for i, item in enumerate(value):
            check(item, kind[1], f"{where}[{i}]")
    elif kind == TEXT:
        check_text(value, where)
    elif kind == URI:
        check_text(value, where)
        assert not set(value) & set(' <>"{}|\\^`\n'), f"{where}: {value!r}"
    elif kind == NUMBER:
        assert type(value) is int and value >= 0, f"{where}: {value!r}"
    elif kind == BOOL:
        assert type(value) is bool, f"{where}: {value!r}"
    elif kind == "properties":
        assert isinstance(value, dict), f"{where}: no object"
    else:
        check_object(value, kind, where)


def check_object(value, kind, where):
    members = OBJECTS[kind]
    assert isinstance(value, dict), f"{where}: no {kind}"
    for name in value:
        assert name in members, f"{where}: a {kind} has no member {name!r}"
    for name, (of, is_required) in members.items():
        if name in value:
            check(value[name], of, f"{where}.{name}")
        else:
            assert not is_required, f"{where}: a {kind} needs {name!r}"


def check_log(log):
    check_object(log, "log", "log")
    for run in log["runs"]:
        rules = run["tool"]["driver"].get("rules", [])
        for result in run.get("results", []):
            rule = rules[result["ruleIndex"]]["id"]
            assert rule == result["ruleId"], (rule, result["ruleId"])  # 3.27.6
            for flow in result.get("codeFlows", []):
                check_orders(flow)


def check_orders(flow):
    """In a thread, steps are in the order of execution (3.38.11)."""
    for thread in flow["threadFlows"]:
        orders = [step["executionOrder"] for step in thread["locations"]]
        assert orders == sorted(orders), (thread.get("id"), orders)
