"""Rejects have one written form: by Python (so by C) and by the command it is the same, and it follows the schema."""

import json
import os
import pathlib
import subprocess

import pytest
from support import lines

import streammap

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "Schemas/reject.schema.json").read_text(encoding="utf-8"))
ORDER = "streammap: 1\nrecord: { id: { from: id, type: int64 }, name: { from: user.name, type: string } }\n"

# A mapping, a feed, and of each record that fails the codes and paths of its errors.
CASES = {
    "one": (ORDER, b'{"id":"x","user":{"name":"a"}}\n', [[("wrongType", "$.id")]]),
    "several": (
        ORDER, b'{"id":1,"user":{"name":"a"}}\n{"id":1e99}\n{"id":[],"user":{"name":7}}\n',
        [[("numberOutOfRange", "$.id"), ("missing", "$.user.name")], [("wrongType", "$.id"), ("wrongType", "$.user.name")]],
    ),
    "malformed": (ORDER, b'{"id" 5}\n{"id":2,"user":{"name":"\xc3\x28"}}\n', [[("syntax", "$.id")], [("invalidUTF8", "$.user.name")]]),
    "truncated": (ORDER, b'{"id":1,"user":{"name":"a"}}\n{"id":', [[("truncated", "$.id")]]),
    "document": (
        'streammap: 1\ninput: { records: "$.list[*]" }\nrecord: { a: { from: a, type: bool }, b: { from: b, type: bool } }\n',
        b'{"list":[{"a":1,"b":2},{"a":true,"b":false},7]}',
        [[("wrongType", "$.list[0].a"), ("wrongType", "$.list[0].b")], [("wrongType", "$.list[2]")]],
    ),
    "alternatives": (
        "streammap: 1\nrecord: { a: { first_of: [x, y], type: int64 } }\n", b'{"x":"x","y":true}\n', [[("noAlternative", "$")]],
    ),
    "many": (
        "streammap: 1\ninput: { limits: { errors: 3 } }\nrecord: { a: { from: a, each: { type: int64 } } }\n",
        b'{"a":[{},{},{},{},{}]}\n', [[("wrongType", "$.a[0]"), ("wrongType", "$.a[1]"), ("wrongType", "$.a[2]")]],
    ),
}  # fmt: skip


def problems(mapping, path):
    found = []
    try:
        lines(path, mapping, errors="reject", on_reject=found.append)
    except streammap.FeedError as error:
        found.append(error.problem)
    return found


@pytest.mark.parametrize("name", CASES)
def test_each_error_of_a_record_is_told_with_its_own_place(name, tmp_path):
    mapping, feed, expected = CASES[name]
    path = tmp_path / ("feed.json" if name == "document" else "feed.ndjson")
    path.write_bytes(feed)
    found = problems(mapping, path)
    assert [[(error.code, error.path) for error in problem.errors] for problem in found] == expected
    for problem in found:
        assert problem.details["file"] == str(path)
        for error, written in zip(problem.errors, problem.details["errors"]):
            assert feed[error.offset : error.end] != b"" or error.code == "truncated"
            assert (error.record, error.line, error.column) == (problem.record, written["line"], written["column"])
        # The problem itself has the place of its first error.
        assert (problem.code, problem.path, problem.offset) == (problem.errors[0].code, problem.errors[0].path, problem.errors[0].offset)
    if name == "many":
        assert found[0].details["omitted"] == 2


@pytest.mark.parametrize("name", CASES)
def test_a_reject_follows_the_schema(name, tmp_path):
    jsonschema = pytest.importorskip("jsonschema")
    mapping, feed, _ = CASES[name]
    path = tmp_path / ("feed.json" if name == "document" else "feed.ndjson")
    path.write_bytes(feed)
    check = jsonschema.Draft202012Validator(SCHEMA)
    for problem in problems(mapping, path):
        assert list(check.iter_errors(problem.details)) == []
        with pytest.raises(jsonschema.ValidationError):
            check.validate({**problem.details, "code": "wrongType"})


@pytest.mark.parametrize("name", CASES)
def test_the_command_writes_the_same(name, tmp_path):
    command = os.environ.get("STREAMMAP_COMMAND")
    if command is None:
        pytest.skip("STREAMMAP_COMMAND names no command: scripts/test python does")
    mapping, feed, _ = CASES[name]
    path = tmp_path / ("feed.json" if name == "document" else "feed.ndjson")
    path.write_bytes(feed)
    (tmp_path / "m.yaml").write_text(mapping, encoding="utf-8")
    rejects = tmp_path / "rejects"
    for parser in ("index", "yajl"):
        arguments = ["-m", tmp_path / "m.yaml", path, "-o", tmp_path / "out", "--rejects", rejects, "--no-raw", "--parser", parser]
        subprocess.run([command, *map(str, arguments)], stderr=subprocess.DEVNULL, check=False)
        written = [json.loads(line) for line in rejects.read_text(encoding="utf-8").splitlines()]
        assert written == [problem.details for problem in problems(mapping, path)]
