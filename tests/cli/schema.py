# SPDX-License-Identifier: MIT
"""Checks a value against one of docs/schema: the part of JSON Schema that these
files use, and nothing silently: a word that is not known here is an error.
Users may meet members that a schema does not have; here that is a complaint,
so that a new member cannot be forgotten."""
import json
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs/schema"
TYPES = {"string": str, "object": dict, "array": list, "boolean": bool,
         "integer": int, "number": (int, float), "null": type(None)}
KNOWN = {"$schema", "$defs", "$ref", "title", "description", "type", "enum",
         "const", "anyOf", "properties", "required", "additionalProperties",
         "items", "minimum"}


def is_of(value, name):
    if isinstance(value, bool) and name != "boolean":
        return False
    return isinstance(value, TYPES[name])


def complaints(value, schema, root, at="$"):
    """What is wrong with the value, as texts."""
    unknown = set(schema) - KNOWN
    if unknown:
        raise ValueError(f"schema.py does not know {unknown}")
    if "$ref" in schema:
        name = schema["$ref"].removeprefix("#/$defs/")
        yield from complaints(value, root["$defs"][name], root, at)
    if "anyOf" in schema:
        each = [list(complaints(value, s, root, at)) for s in schema["anyOf"]]
        if all(each):
            yield from min(each, key=len)
    if "const" in schema and value != schema["const"]:
        yield f"{at} is {value!r}, not {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at} is {value!r}, none of {schema['enum']}"
    names = schema.get("type", list(TYPES))
    names = [names] if isinstance(names, str) else names
    if not any(is_of(value, name) for name in names):
        yield f"{at} is {value!r}, not of type {names}"
        return
    if isinstance(value, (int, float)) and value < schema.get("minimum", value):
        yield f"{at} is {value}"
    if isinstance(value, list) and "items" in schema:
        for i, item in enumerate(value):
            yield from complaints(item, schema["items"], root, f"{at}[{i}]")
    if isinstance(value, dict) and schema.get("type") == "object":
        yield from of_object(value, schema, root, at)


def of_object(value, schema, root, at):
    members = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield f"{at} has no {name}"
    for name, item in value.items():
        inner = members.get(name, schema.get("additionalProperties"))
        if inner is None:
            yield f"{at}.{name} is not in the schema"
        else:
            yield from complaints(item, inner, root, f"{at}.{name}")


def fits(value, name):
    """Fails unless the value is as docs/schema/NAME.schema.json says."""
    root = json.loads((FOLDER / f"{name}.schema.json").read_text())
    wrong = list(complaints(value, root, root))
    assert not wrong, "\n".join(wrong[:10])
