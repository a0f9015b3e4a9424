import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MAPPING = """
streammap: 1
record:
  id: { from: id, type: int64 }
  name: { from: name, type: string, nullable: true }
  price: { from: price, type: decimal, nullable: true }
  at: { from: at, type: date, nullable: true }
  tags: { from: tags, each: string, default: [] }
  box: { from: box, nullable: true, object: { w: { from: w, type: double } } }
  raw: { from: raw, type: json, nullable: true }
"""


@pytest.fixture
def mapping() -> str:
    return MAPPING


@pytest.fixture
def root() -> pathlib.Path:
    return ROOT
