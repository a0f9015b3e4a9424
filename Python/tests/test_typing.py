"""Types: checkers take what is right, and find what is wrong."""

import importlib.util
import json
import pathlib
import pprint
import re
import subprocess
import sys
import textwrap

import pytest

FOLDER = pathlib.Path(__file__).resolve().parents[1]
RIGHT = """
    import asyncio
    import pathlib
    from typing import Any

    import streammap
    from streammap.keys import Field, MappingFile

    mapping = streammap.Mapping({"streammap": 1, "record": {"id": "id"}}, errors="skip", jobs=2, limits={"depth": 8})
    source = streammap.open(["a.ndjson", pathlib.Path("b.ndjson"), b"{}"], mapping, rejects="bad.ndjson", on_reject=lambda problem: problem.raw)
    again: streammap.Source = streammap.open(lambda: b"{}", "m.map.yaml", errors="reject", decimal_scale=None, timezone=None, records="$[*]")
    number: int = source.write("out.parquet").mapped
    names: list[str] = source.feeds
    rows: list[dict[str, Any]] = list(source.records())
    text: str = streammap.infer("a.ndjson", format="ndjson")
    error: streammap.StreamMapError = streammap.FeedNotFoundError(streammap.Problem("io", "none"))

    price: Field = {"from": "price", "type": "decimal?", "validate": {"min": 0}}
    written: MappingFile = {"streammap": 1, "record": {"id": "id", "price": price}, "where": {"not": {"from": "id", "equals": 0}}}
    third = streammap.open("a.ndjson", written)

    async def all() -> None:
        async for batch in source:
            print(batch)

    asyncio.run(all())
"""
# The statements that are wrong, each in a line, and what mypy says of it.
WRONG = {
    'streammap.open("a", "m", erors="skip")': "erors",
    'streammap.open("a", "m", errors="ignore")': "errors",
    'streammap.open("a", "m", format="xml")': "format",
    'streammap.open("a", "m", jobs="2")': "jobs",
    'streammap.open("a", "m", limits={"dept": 1})': "dept",
    'streammap.open("a", "m", timezone="CET")': "timezone",
    'streammap.open("a", "m", timestamp_unit="ms")': "timestamp_unit",
    "streammap.open(7, 'm')": "open",
    'streammap.Mapping("m", unseen_paths="warn")': "unseen_paths",
    'streammap.open("a", "m").write("x", "csv")': "write",
    'streammap.open("a", "m").summary.maped': "maped",
    'streammap.parts("a", "m", 2, job=1)': "job",
    'streammap.open("a", {"streammap": 1, "record": {"id": {"from": "id", "tpye": "int64"}}})': "open",
    'streammap.open("a", {"record": {"id": "id"}})': "open",
    'MappingFile({"streammap": 2, "record": {"id": "id"}})': "streammap",
    'MappingFile({"streammap": 1, "recrod": {"id": "id"}})': "recrod",
    'MappingFile({"streammap": 1, "input": {"fromat": "json"}})': "fromat",
    'MappingFile({"streammap": 1, "output": {"format": "xml"}})': "format",
    'Field({"from": "id", "tpye": "int64"})': "tpye",
    'Field({"from": "id", "type": "int46"})': "type",
    'Field({"join": "id"})': "join",
    'Field({"lookup": {"file": "a.csv", "key": "id"}})': "value",
    'Field({"text": {"prefx": "a"}})': "text",
    'Field({"validate": {"either": [{"min": 1}, {"maxx": 2}]}})': "maxx",
    'Field({"cases": [{"when": {"from": "a", "exsits": True}, "from": "a"}]})': "Condition|Combination|Comparison",
    'Field({"each": {"object": {"a": Field({"frm": "a"})}}})': "frm",
}
# Dictionaries of many lines, and the wrong keys in them.
LINES = """
from streammap.keys import Field, MappingFile

price: Field = {
    "defualt": 0,  # wrong: defualt
    "from": "price",
}
mapping: MappingFile = {
    "streammap": 1,
    "record": {
        "name": "name",
        "price": price,
        "id": Field({
            "tpye": "int64",  # wrong: tpye
            "from": "order_id",
        }),
    },
    "errors": {"mdoe": "skip"},  # wrong: mdoe
}
"""


def mypy(folder, files):
    command = [sys.executable, "-m", "mypy", "--config-file", FOLDER / "pyproject.toml", "--cache-dir", folder / "cache"]
    done = subprocess.run([*command, *files], capture_output=True, text=True, timeout=600, cwd=FOLDER / "src")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    for line in done.stdout.splitlines():
        if match := re.match(r"(.*?):(\d+): error: (.*)", line):
            yield (FOLDER / "src" / match[1]).resolve(), int(match[2]), match[3]


def pyright(folder, files):
    configuration = folder / "pyrightconfig.json"
    settings = {"include": list(map(str, files)), "extraPaths": [str(FOLDER / "src")], "pythonVersion": "3.9", "reportMissingImports": "none"}
    configuration.write_text(json.dumps(settings))
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, "--project", configuration]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if not done.stdout.startswith("{"):
        pytest.skip(f"pyright does not run here: {(done.stdout + done.stderr).strip()[-200:]}")
    for found in json.loads(done.stdout)["generalDiagnostics"]:
        yield pathlib.Path(found["file"]).resolve(), found["range"]["start"]["line"] + 1, found["message"]


@pytest.fixture(params=[mypy, pyright], ids=lambda checker: checker.__name__)
def check(request, tmp_path):
    """What a checker finds wrong with the package and some texts: for each text, the lines and what is said of them."""
    pytest.importorskip(request.param.__name__)

    def checked(*texts):
        paths = [tmp_path / f"text{number}.py" for number, _ in enumerate(texts)]
        for path, text in zip(paths, texts):
            path.write_text(text)
        found = list(request.param(tmp_path, [*paths, *sorted((FOLDER / "src/streammap").glob("*.py"))]))
        assert [error for error in found if error[0] not in paths] == []
        return [{line: message for path, line, message in found if path == text} for text in paths]

    checked.is_mypy = request.param is mypy
    return checked


def test_a_checker_takes_what_is_right_and_finds_what_is_wrong(check):
    head = ["import streammap", "from streammap.keys import Field, MappingFile"]
    right, wrong = check(textwrap.dedent(RIGHT), "\n".join([*head, *WRONG]) + "\n")
    assert right == {}
    assert [line for line in wrong if line <= len(head)] == []
    for number, (statement, said) in enumerate(WRONG.items(), len(head) + 1):
        assert number in wrong, statement
        if check.is_mypy:
            assert re.search(said, wrong[number]), f"{statement}: {wrong[number]}"


def test_a_wrong_key_of_a_mapping_is_found_by_its_name_and_place(check):
    (found,) = check(LINES)
    lines = LINES.splitlines()
    wrong = {number: line.split("# wrong: ")[1] for number, line in enumerate(lines, 1) if "# wrong: " in line}
    if check.is_mypy:
        # It says the line where the dictionary of the key begins.
        wrong = {number if "{" in lines[number - 1] else number - 1: key for number, key in wrong.items()}
    assert sorted(found) == sorted(wrong)
    assert [key for number, key in wrong.items() if f'"{key}"' not in found[number]] == []


def test_the_mapping_files_of_the_examples_are_what_their_types_say(check, root):
    yaml = pytest.importorskip("yaml")

    # libyaml, as the package itself: the reader in Python takes `string?` in braces for a mistake.
    class Core(yaml.CSafeLoader):
        """As mapping files are read: `on` is a text, and so is a date."""

    left_out = ("tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp")
    resolvers = yaml.CSafeLoader.yaml_implicit_resolvers
    Core.yaml_implicit_resolvers = {first: [one for one in those if one[0] not in left_out] for first, those in resolvers.items()}
    Core.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))
    files = sorted(root.glob("Examples/**/*.map.yaml"))
    assert len(files) > 50
    written = [pprint.pformat(yaml.load(file.read_text(), Core), sort_dicts=False) for file in files]
    text = "\n".join(f"m{number}: MappingFile = {mapping}  # {file}" for number, (mapping, file) in enumerate(zip(written, files)))
    assert check("from streammap.keys import MappingFile\n" + text + "\n") == [{}]


def test_the_types_of_mapping_files_are_made_of_their_schema():
    module = importlib.util.spec_from_file_location("made", FOLDER / "keys.py")
    made = importlib.util.module_from_spec(module)
    module.loader.exec_module(made)
    assert made.RESULT.read_text() == made.text(), "stale: python3 Python/keys.py"


def test_each_key_of_the_schema_is_one_of_its_type(root):
    from streammap import keys

    schema = json.loads((root / "Schemas/mapping-file.schema.json").read_text())
    maps = {"mappingFile": schema, **{name: part for name, part in schema["$defs"].items() if "properties" in part}}
    for name, part in maps.items():
        made = getattr(keys, name[0].upper() + name[1:])
        assert set(made.__annotations__) == set(part["properties"]), name


def test_the_mapping_of_the_readme_is_what_its_types_say_and_compiles(check):
    import streammap

    (block,) = re.findall(r"^```python\n(from streammap\.keys .*?)^```", (FOLDER / "README.md").read_text(), re.M | re.S)
    assert check(block) == [{}]
    names = {}
    exec(block, names)
    assert streammap.Mapping(names["mapping"]).schema.names == ["id", "price", "at"]
