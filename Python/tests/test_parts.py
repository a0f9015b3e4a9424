"""Parts of a feed are together the feed, whichever process reads them."""

import bz2
import gzip
import json
import lzma
import pickle
import random
import subprocess
import sys

import pytest
from support import lines

import streammap

PLACES = {"list.json": "$.list[*]", "lines.ndjson": None, "texts.json": None}


@pytest.fixture
def feeds(tmp_path):
    source = random.Random(3)
    records = []
    for number in range(400):
        parts = [b'"id":%d' % number if number % 50 != 7 else b'"id":"none"', b'"name":"%s"' % (b"x" * source.randrange(60))]
        if source.random() < 0.5:
            parts.append(b'"tags":[%s]' % b",".join([b'"a]}\\""'] * source.randrange(4)))
        records.append(b"{%s}" % b",".join(parts))
    (tmp_path / "list.json").write_bytes(b'{"list":[\n' + b",\n".join(records) + b"]}")
    (tmp_path / "lines.ndjson").write_bytes(b"\n".join(records))
    (tmp_path / "texts.json").write_bytes(b" ".join(records))
    return tmp_path


def options(name):
    given = {"errors": "skip"}
    if PLACES[name]:
        given["records"] = PLACES[name]
    if name == "texts.json":
        given["format"] = "concat"
    return given


def rows(feed, mapping, part=None, **given):
    problems = []
    table = streammap.open(feed, mapping, part=part, on_reject=problems.append, **given).read_all()
    return table.to_pylist(), [(problem.record, problem.line, problem.offset, problem.code) for problem in problems]


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("count", [1, 2, 7, 100])
@pytest.mark.parametrize("jobs", [1, 2])
def test_parts_joined_are_the_whole(mapping, feeds, name, count, jobs):
    feed, given = feeds / name, {**options(name), "jobs": jobs}
    whole = rows(feed, mapping, **given)
    index = streammap.index(feed, mapping, every=500, **options(name))
    parts = streammap.parts(feed, mapping, count, index=index, **options(name))
    assert [part.number for part in parts] == list(range(1, count + 1)) and parts[0].start == 0
    assert parts[-1].end == feed.stat().st_size and all(part.tells_numbers for part in parts)
    joined, problems = [], []
    for part in parts:
        some, wrong = rows(feed, mapping, pickle.loads(pickle.dumps(part)), **given)
        joined += some
        problems += wrong
    assert (joined, problems) == whole
    assert b"".join(lines(feed, mapping, part=part, **given) for part in parts) == lines(feed, mapping, **given)


def test_lines_need_no_index_but_for_their_numbers(mapping, feeds):
    feed, given = feeds / "lines.ndjson", options("lines.ndjson")
    whole, problems = rows(feed, mapping, **given)
    parts = streammap.parts(feed, mapping, 9, **given)
    found = [rows(feed, mapping, part, **given) for part in parts]
    assert [row for some, _ in found for row in some] == whole
    wrong = [problem for _, some in found for problem in some]
    assert [problem[2:] for problem in wrong] == [problem[2:] for problem in problems]
    assert not parts[1].tells_numbers and {problem[:2] for problem in wrong} == {(None, None)}
    numbered = {"streammap": 1, "record": {"n": {"meta": "record_number"}}}
    with pytest.raises(streammap.FeedError, match="index"):
        streammap.parts(feed, numbered, 9)


def test_another_process_reads_a_part(mapping, feeds):
    feed, given = feeds / "list.json", options("list.json")
    index = streammap.index(feed, mapping, every=500, **given)
    parts = streammap.parts(feed, mapping, 3, index=index, **given)
    code = f"""if True:
        import json, sys, streammap
        part = streammap.Part.of(sys.stdin.read())
        print(streammap.open({str(feed)!r}, {mapping!r}, part=part, **{given!r}).read_all().num_rows)
    """
    counts = [
        int(subprocess.run([sys.executable, "-c", code], input=part.text, text=True, capture_output=True, check=True).stdout)
        for part in parts
    ]
    assert sum(counts) == 400 - 8 and min(counts) > 50


def test_what_does_not_belong_together_is_refused(mapping, feeds):
    feed, given = feeds / "list.json", options("list.json")

    def refused(call, *arguments, **more):
        with pytest.raises(streammap.FeedError) as raised:
            call(*arguments, **more)
        return raised.value.code

    assert refused(streammap.parts, feed, mapping, 2, **given) == "invalidDefinition"
    assert refused(streammap.parts, feeds / "lines.ndjson", mapping, 0) == "invalidDefinition"
    assert refused(streammap.parts, feeds / "lines.ndjson", mapping, 10**9) == "invalidDefinition"
    assert refused(streammap.index, feeds / "none.json", mapping) == "io"
    assert refused(streammap.index, feeds, mapping) == "io"
    assert refused(streammap.index, feed, mapping, every=0) == "usage"
    index = streammap.index(feed, mapping, every=500, **given)
    for wrong in ("", "{", "[]", "null", index[:-2], index.replace('"size":', '"size":1'), index.replace("_index\":2", "_index\":9")):
        assert refused(streammap.parts, feed, mapping, 2, index=wrong, **given) == "invalidDefinition"
    assert refused(streammap.parts, feed, mapping, 2, index=index, records="$.other[*]") == "invalidDefinition"
    part = streammap.parts(feed, mapping, 3, index=index, **given)[1]
    for text in ("", "{}", "[1]", part.text[:-1], part.text.replace("[", "[9", 1)):
        other = streammap.Part(2, 3, 0, 1, True, text)
        assert refused(lambda: streammap.open(feed, mapping, part=other, **given).read_all()) == "invalidDefinition"
    with pytest.raises(TypeError):
        streammap.open(feed.read_bytes(), mapping, part=part, **given)


@pytest.mark.parametrize("name, compress", [("gzip", gzip.compress), ("bzip2", bz2.compress), ("xz", lzma.compress)])
def test_a_compressed_feed_is_said_to_be_so(mapping, feeds, name, compress):
    feed = feeds / "packed.ndjson"
    feed.write_bytes(compress((feeds / "lines.ndjson").read_bytes()))
    for call in (lambda: streammap.parts(feed, mapping, 3), lambda: streammap.index(feed, mapping)):
        with pytest.raises(streammap.FeedError, match=rf"compressed \({name}\): decompress it first") as raised:
            call()
        assert raised.value.code == "io"


def test_a_feed_that_has_changed_is_no_silent_loss(mapping, feeds):
    feed, given = feeds / "list.json", options("list.json")
    index = streammap.index(feed, mapping, every=500, **given)
    parts = streammap.parts(feed, mapping, 4, index=index, **given)
    text = feed.read_bytes()
    middle = (parts[1].start + parts[1].end) // 2
    # In the middle of a part a record becomes two.
    place = text.index(b'},\n{"id"', middle)
    feed.write_bytes(text[:place] + b"},{      " + text[place + 9 :])
    with pytest.raises(streammap.FeedError):
        for part in parts:
            streammap.open(feed, mapping, part=part, **given).read_all()
    feed.write_bytes(text + b" ")
    with pytest.raises(streammap.FeedError, match="bytes"):
        streammap.open(feed, mapping, part=parts[0], **given).read_all()


def test_the_index_is_that_of_the_command(mapping, feeds):
    index = json.loads(streammap.index(feeds / "lines.ndjson", mapping, every=500))
    assert index["streammap_index"] == 2 and set(index) == {"streammap_index", "digest", "contents"}


@pytest.mark.parametrize("count", [1, 3])
@pytest.mark.parametrize("has_index", [False, True])
@pytest.mark.parametrize("change", ["grown", "shorter", "shifted"])
def test_a_feed_that_has_changed_since_it_was_cut_is_refused(tmp_path, change, has_index, count):
    path = tmp_path / "feed.ndjson"
    feed = b"".join(b'{"id":%d}\n' % (100_000 + number) for number in range(50_000))
    path.write_bytes(feed)
    mapping = streammap.Mapping({"streammap": 1, "record": {"id": {"from": "id", "type": "int64"}}}, format="ndjson")
    parts = streammap.parts(path, mapping, count, index=streammap.index(path, mapping, every=100_000) if has_index else None)
    line = b'{"id":100000}\n'
    path.write_bytes({"grown": feed + line, "shorter": feed[: -len(line)], "shifted": line + feed[: -len(line)]}[change])
    for part in parts:
        with pytest.raises(streammap.FeedError) as raised:
            streammap.open(path, mapping, part=part).read_all()
        assert raised.value.code == "invalidDefinition"
