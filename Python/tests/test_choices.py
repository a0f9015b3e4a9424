"""Which fields and which records are mapped, where a caller does not want all."""

import pickle

import pytest
from support import lines
from test_sources import FEED, SMALL, ids

import streammap


@pytest.mark.parametrize("jobs", [1, 2])
def test_only_the_fields_that_are_named_are_mapped(tmp_path, jobs):
    record = {**SMALL["record"], "b": {"from": "b", "type": "string", "nullable": True}, "c": {"from": "c", "object": {"d": "d"}}}
    mapping = {**SMALL, "where": {"not": {"from": "b", "equals": "no"}}, "record": record}
    feed = b'{"id":1,"b":"x","c":7}\n{"id":2,"b":"no"}\n{"id":"wrong","b":"y"}\n'
    source = streammap.open(feed, mapping, fields=["b"], jobs=jobs)
    # The others are not looked at, and `where` holds all the same.
    assert source.schema.names == ["b"] and source.read_all().to_pylist() == [{"b": "x"}, {"b": "y"}]
    assert source.summary.dropped == 1 and source.summary.rejected == 0
    assert lines(feed, mapping, fields="b", jobs=jobs) == b'{"b":"x"}\n{"b":"y"}\n'
    # The order is the mapping's, and a copy has the option, too.
    both = streammap.open(b'{"id":1,"b":"x"}', mapping, fields=["b", "id"])
    assert pickle.loads(pickle.dumps(both)).read_all().to_pylist() == [{"id": 1, "b": "x"}]
    # Columns of bytes may be among those that are left out; a name that is none is still a mistake.
    assert ids(streammap.open(b'{"id":1}', mapping, fields=["id"], binary=["b"])) == [1]
    with pytest.raises(streammap.MappingError, match="there is no column of texts 'bb'"):
        streammap.open(feed, mapping, fields=["id"], binary=["bb"])
    # So it is by parts.
    path = tmp_path / "feed.ndjson"
    path.write_bytes(feed)
    made = streammap.Mapping(mapping, fields=["b"])
    cut = [streammap.open(path, made, part=part).read_all().to_pylist() for part in streammap.parts(path, made, 2)]
    assert sum(cut, []) == [{"b": "x"}, {"b": "y"}]


@pytest.mark.parametrize(
    ("changes", "fields", "said"),
    [
        ({}, ["idd"], "there is no field 'idd'; did you mean 'id'"),
        ({}, [], "at least one name"),
        ({}, [1], "array of texts"),
        ({"input": {"unknown": "fail"}}, ["id"], "a rule for keys that no field reads"),
        ({"input": {"unknown": "collect:more"}}, ["id"], "a rule for keys that no field reads"),
        ({"rest": "keep"}, ["id"], "a rule for keys that no field reads"),
        ({"output": {"arrays": {"explode": "l"}}}, ["id"], "makes rows of an array"),
        ({"record": "$"}, ["id"], "no record of fields"),
    ],
)
def test_fields_that_cannot_be_chosen_are_an_error(changes, fields, said):
    mapping = {**SMALL, "record": {**SMALL["record"], "l": {"from": "l", "each": "string"}}, **changes}
    with pytest.raises(streammap.MappingError, match=said):
        streammap.Mapping(mapping, fields=fields)


@pytest.mark.parametrize("jobs", [1, 2])
def test_records_for_which_a_condition_does_not_hold_are_left_out(jobs):
    mapping = {**SMALL, "where": {"not": {"from": "state", "equals": "gone"}}, "args": {"least": "int64"}}
    feed = b'{"id":1,"state":"open"}\n{"id":2,"state":"gone"}\n{"id":3,"state":"open"}\n{"id":"x","state":"closed"}\n{"id":5,"state":"open"}\n'

    def read(where, **options):
        source = streammap.open(feed, mapping, where=where, arguments={"least": "3"}, jobs=jobs, **options)
        found = ids(source)
        assert source.summary.mapped + source.summary.dropped + source.summary.rejected == 5
        # A copy has the condition.
        assert ids(pickle.loads(pickle.dumps(source))) == found
        return found

    # What is wrong in a record that is left out is no error.
    assert read({"from": "state", "equals": "open"}) == [1, 3, 5]
    assert read({"all": [{"from": "state", "equals": "open"}, {"field": "id", "min": 2}]}) == [3, 5]
    assert read({"field": "id", "min": 2}, errors="skip") == [3, 5]
    assert read({"calc": "id > $least"}, errors="skip") == [5]
    # The mapping's own condition holds as well.
    assert read({"from": "state", "equals": "gone"}) == []
    assert lines(feed, mapping, where={"from": "state", "equals": "open"}, arguments={"least": "1"}) == b'{"id":1}\n{"id":3}\n{"id":5}\n'


def test_a_condition_and_fields_are_chosen_together():
    mapping = {**SMALL, "record": {**SMALL["record"], "b": {"from": "b", "type": "string"}}}
    feed = b'{"id":1,"b":7}\n{"id":2,"b":"x"}\n'
    assert streammap.open(feed, mapping, where={"from": "id", "min": 1}, fields=["id"]).read_all().to_pylist() == [{"id": 1}, {"id": 2}]
    with pytest.raises(streammap.MappingError, match="b"):
        streammap.open(feed, mapping, where={"field": "b", "equals": "x"}, fields=["id"])


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ({"state": "open"}, "unknown key 'state'"),
        ({"field": "idd", "min": 1}, "did you mean 'id'"),
        ({"from": "id", "mn": 1}, "mn"),
        ({}, "has to be a map with one of"),
        ("id > 7", "option 'where' has to be an object"),
        (None, "option 'where' has to be an object"),
    ],
)
def test_what_is_no_condition_is_an_error(where, said):
    with pytest.raises(streammap.MappingError, match=said) as raised:
        streammap.open(FEED, SMALL, where=where)
    assert "option 'where'" in str(raised.value)
