"""What an import of the package costs: nothing is loaded before it is needed."""

import json
import os
import subprocess
import sys

import pytest

HEAVY = {"asyncio", "fsspec", "numpy", "pandas", "polars", "pyarrow", "urllib", "importlib.metadata"}


def loaded(code: str, **variables: str) -> set:
    """The modules, and the libraries of the system, that are loaded after some code."""
    end = "\nimport json, sys\nprint(json.dumps([*sys.modules, *(line.split('/')[-1].strip() for line in open('/proc/self/maps'))]))"
    done = subprocess.run([sys.executable, "-c", code + end], capture_output=True, text=True, timeout=60, env={**os.environ, **variables})
    assert done.returncode == 0, done.stderr
    return set(json.loads(done.stdout))


@pytest.mark.skipif(not os.path.exists("/proc/self/maps"), reason="the system does not tell what is loaded")
def test_an_import_loads_neither_pyarrow_nor_the_library():
    library = os.path.basename(os.environ["STREAMMAP_LIBRARY"])
    nothing, imported = loaded(""), loaded("import streammap")
    assert (imported - nothing) & {*HEAVY, library} == set()
    assert library in loaded("import streammap; streammap.check('streammap: 1\\nrecord: { a: a }')")
    assert "pyarrow" in loaded("import streammap; streammap.REJECTS")


def test_a_package_without_its_library_cannot_be_imported():
    done = subprocess.run(
        [sys.executable, "-c", "import streammap"], capture_output=True, text=True, timeout=60, env={**os.environ, "STREAMMAP_LIBRARY": ""}
    )
    assert done.returncode == 1
    assert "ImportError: " in done.stderr and "libstreammap" in done.stderr and "is missing: install a wheel" in done.stderr


def test_names_of_the_package_are_there_and_others_are_not():
    import streammap

    assert streammap.REJECTS.names == ["feed", "record", "offset", "end", "line", "column", "errors", "raw"]
    assert [name for name in streammap.__all__ if not hasattr(streammap, name)] == []
    with pytest.raises(AttributeError, match="module 'streammap' has no attribute 'opn'"):
        streammap.opn
