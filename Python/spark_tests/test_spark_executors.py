"""Executors that have nothing of StreamMap get the package from the driver, as the guide Columns says."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile

import pyspark
import pytest

from conftest import MAPPING, ROOT

GUIDE = (ROOT / "Sources/StreamMap/StreamMap.docc/Columns.md").read_text()
LATER = "spark.addArtifacts(package, archive=True)"
# A program of the driver, which finds the package where only it looks: where executors get it, the guide's lines say.
BEGIN = """
import json, sys
sys.path.insert(0, sys.argv[1])
"""
END = """
source = spark.read.format("streammap").option("mapping", "m.map.yaml").option("partitionBytes", 100000).load(sys.argv[2])
rows = source.selectExpr("count(*)", "sum(id)").collect()[0]

def places(batches):
    import pandas
    import streammap
    for _ in batches:
        yield pandas.DataFrame({"place": [streammap.__file__]})

found = spark.range(8, numPartitions=4).mapInPandas(places, "place string").distinct().collect()
print("found", json.dumps([rows[0], rows[1], source.rdd.getNumPartitions(), sorted(row.place for row in found)]))
"""


def block():
    part = GUIDE[GUIDE.index("### The package on executors\n") :]
    return re.search(r"^```python\n(.*?)^```", part, re.M | re.S)[1]


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """What is in a wheel, in a folder that only the driver knows."""
    if not shutil.which("patchelf"):
        pytest.skip("there is no patchelf to make a wheel with: scripts/setup --checks")
    folder = tmp_path_factory.mktemp("installed")
    command = [ROOT / "scripts/package", "python", "--library", os.environ["STREAMMAP_LIBRARY"], "--output", folder / "made"]
    done = subprocess.run(command, capture_output=True, text=True)
    if "scripts/setup --checks installs them" in done.stderr:
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    (wheel,) = (folder / "made").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "package")
    return folder / "package"


def run(code, installed, folder, feed):
    """Runs a program of the driver; the executors, and Spark itself, know nothing of the package."""
    (folder / "m.map.yaml").write_text(MAPPING)
    settings = ["spark.ui.enabled=false", "spark.driver.host=127.0.0.1", "spark.driver.bindAddress=127.0.0.1", "spark.executor.memory=1g"]
    arguments = ["--master", "local-cluster[2,1,1024]", *(part for one in settings for part in ("--conf", one)), "pyspark-shell"]
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "STREAMMAP_LIBRARY")}
    environment |= {"SPARK_HOME": os.path.dirname(pyspark.__file__), "PYSPARK_PYTHON": sys.executable}
    environment["PYSPARK_SUBMIT_ARGS"] = " ".join(arguments)
    command = [sys.executable, "-c", BEGIN + code + END, installed, feed]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, timeout=600)


@pytest.fixture
def feed(tmp_path):
    path = tmp_path / "orders.ndjson"
    path.write_text("".join(f'{{"id":{number},"name":"n{number % 7}"}}\n' for number in range(20_000)))
    return path


@pytest.mark.parametrize("when", ["as the session begins", "in a session that has begun"])
def test_executors_that_have_nothing_are_sent_the_package(installed, feed, tmp_path, when):
    code = block()
    if when == "in a session that has begun":
        assert LATER in GUIDE
        code = code.replace('.config("spark.archives", package)', "").replace("streammap.spark.register", f"{LATER}\nstreammap.spark.register")
        assert "spark.archives" not in code and LATER in code
    done = run(code, installed, tmp_path, feed)
    found = re.search(r"found (\[.*\])", done.stdout)
    assert found, done.stdout + done.stderr
    count, sum, parts, places = json.loads(found[1])
    assert (count, sum) == (20_000, 199_990_000) and parts > 2
    # Each executor has the package in the folder where it works, and no other one.
    assert places and all(re.search(r"/app-[^/]*/\d+/(?:[^/]+/)*streammap/__init__\.py$", place) for place in places), places


def test_executors_that_are_not_sent_the_package_do_not_have_it(installed, feed, tmp_path):
    done = run(block().replace('.config("spark.archives", package)', ""), installed, tmp_path, feed)
    assert done.returncode != 0 and "No module named 'streammap'" in done.stderr
