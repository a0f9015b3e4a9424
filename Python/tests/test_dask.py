"""Dask's own cluster on this machine: processes that read a feed by its parts."""

import os

import pytest

import streammap
from test_examples import GUIDES, block, prepared, run

COUNT = 30_000


@pytest.fixture
def client(tmp_path, monkeypatch):
    pytest.importorskip("dask.dataframe")
    distributed = pytest.importorskip("distributed")
    monkeypatch.chdir(tmp_path)
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        yield client


@pytest.fixture
def mapping(tmp_path):
    path = tmp_path / "m.map.yaml"
    path.write_text("streammap: 1\nrecord: { id: { from: id, type: int64 }, name: { from: name, type: string, nullable: true } }\n")
    return path


def steps(dask_scheduler):
    """How many changes of tasks the scheduler has seen."""
    return dask_scheduler.transition_counter


def empty_frame(mapping):
    import pandas

    return mapping.schema.empty_table().to_pandas(types_mapper=pandas.ArrowDtype)


def records():
    for number in range(COUNT):
        yield '{"id":%d%s}' % (number, f',"name":"né {number % 97}"' if number % 3 else "")


@pytest.mark.parametrize("kind", ["lines", "one document"])
def test_the_rows_of_all_parts_are_those_of_the_feed(client, mapping, tmp_path, kind):
    import dask.dataframe

    feed = tmp_path / "feed.json"
    if kind == "lines":
        feed.write_text("\n".join(records()) + "\n")
        made, index = streammap.Mapping(mapping, format="ndjson"), None
    else:
        feed.write_text('{"list":[' + ",\n".join(records()) + '],"count":1}')
        made = streammap.Mapping(mapping, records="$.list[*]")
        index = streammap.index(feed, made, every=50_000)

    def frame(part):
        found = streammap.open(feed, made, part=part).to_pandas()
        return found.assign(process=os.getpid(), part=part.number)

    parts = streammap.parts(feed, made, 6, index=index)
    empty = empty_frame(made).assign(process=0, part=0)
    found = dask.dataframe.from_map(frame, parts, meta=empty).compute()
    expected = streammap.open(feed, made).to_pandas()
    assert len(expected) == COUNT
    # Also in the order of the feed.
    assert found[["id", "name"]].reset_index(drop=True).equals(expected)
    assert found["part"].nunique() == 6 and os.getpid() not in set(found["process"])


def test_an_error_in_a_part_comes_through_with_its_address(client, mapping, tmp_path):
    import dask.dataframe

    feed = tmp_path / "feed.ndjson"
    feed.write_text("\n".join(records()).replace('{"id":20000,', '{"id":"none",') + "\n")
    made = streammap.Mapping(mapping, format="ndjson")

    def frame(part):
        return streammap.open(feed, made, part=part).to_pandas()

    frames = dask.dataframe.from_map(frame, streammap.parts(feed, made, 4), meta=empty_frame(made))
    with pytest.raises(streammap.FeedError) as raised:
        frames.compute()
    error = raised.value
    assert (error.code, error.path, error.problem.feed) == ("wrongType", "$.id", str(feed))
    assert feed.read_bytes()[error.offset : error.offset + 6] == b'"none"'


def test_the_guide_on_a_cluster(client, root, tmp_path):
    prepared(root, tmp_path)
    guide = (GUIDES / "Engines.md").read_text()
    before = client.run_on_scheduler(steps)
    run(block(guide) + block(guide[guide.index("## Dask\n") :]))
    # It was the cluster that computed.
    assert client.run_on_scheduler(steps) > before
