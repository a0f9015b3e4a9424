"""Refuses to make a package that could not be imported: the library has to be in it. What is made is for one system and any Python 3."""

import os
import pathlib
import sys
import sysconfig

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel

if not list((pathlib.Path(__file__).parent / "src/streammap/lib").glob("libstreammap.*")):
    sys.exit(
        "streammap: the library is not built, so this package could not be imported. scripts/package python of the repository builds a "
        "wheel with it: pip install release/python/streammap-*.whl. To work on the package, set PYTHONPATH=Python/src and "
        "STREAMMAP_LIBRARY=.build/debug/libstreammap.so instead."
    )


class Binary(Distribution):
    """What it holds is for one system."""

    def has_ext_modules(self):
        return True


class Wheel(bdist_wheel):
    """The library is no extension of Python: it does not depend on the version or the ABI of the interpreter."""

    def get_tag(self):
        platform = os.environ.get("STREAMMAP_PLATFORM") or sysconfig.get_platform()
        return "py3", "none", platform.replace("-", "_").replace(".", "_")


setup(distclass=Binary, cmdclass={"bdist_wheel": Wheel})
