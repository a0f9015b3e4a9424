"""Refuses to make a package that could not be imported: the library has to be in it."""

import pathlib
import sys

from setuptools import setup

if not list((pathlib.Path(__file__).parent / "src/streammap/lib").glob("libstreammap.*")):
    sys.exit(
        "streammap: the library is not built, so this package could not be imported. scripts/package python of the repository builds a "
        "wheel with it: pip install release/python/streammap-*.whl. To work on the package, set PYTHONPATH=Python/src and "
        "STREAMMAP_LIBRARY=.build/debug/libstreammap.so instead."
    )
setup()
