"""A feed by two executors of one core: cluster.py (streammap|spark) FEED. Prints JSON: seconds, rows, checks, executors' memory."""

import collections
import json
import os
import pathlib
import sys
import threading
import time

import pyspark
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

HERE = pathlib.Path(__file__).resolve().parents[1]
SCHEMA = """
    time string, level string, service string, trace_id string, user_id bigint,
    http struct<method: string, path: string, status: bigint, ms: double>, tags array<string>, message string
"""


class Memory(threading.Thread):
    """The largest sum of the executors' resident memory, their workers of Python included."""

    def __init__(self):
        super().__init__(daemon=True)
        self.peak, self.python, self.over = 0, 0, threading.Event()

    def run(self):
        while not self.over.wait(0.2):
            self.look()

    def look(self):
        children, found = collections.defaultdict(list), {}
        for folder in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
                arguments = (folder / "cmdline").read_bytes()
                resident = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
            except (OSError, IndexError):
                continue
            children[parent].append(int(folder.name))
            found[int(folder.name)] = (arguments, resident)

        def below(pid):
            for child in children[pid]:
                yield child
                yield from below(child)

        mine = list(below(os.getpid()))
        executors = [pid for pid in mine if b"CoarseGrainedExecutorBackend" in found[pid][0]]
        workers = [pid for executor in executors for pid in below(executor)]
        self.peak = max(self.peak, sum(found[pid][1] for pid in executors + workers))
        self.python = max(self.python, max((found[pid][1] for pid in workers), default=0))


def main():
    kind, feed = sys.argv[1:]
    is_document = feed.endswith(".json")
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.executor.memory", "1g")
    for name in ("PYTHONPATH", "STREAMMAP_LIBRARY"):
        if name in os.environ:
            builder = builder.config(f"spark.executorEnv.{name}", os.environ[name])
    for name, value in {
        "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.task.maxFailures": "1", "spark.log.level": "ERROR",
    }.items():  # fmt: skip
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    # Both executors are there, and have run something.
    spark.range(100, numPartitions=4).selectExpr("sum(id)").collect()
    if kind == "streammap":
        import streammap.spark

        streammap.spark.register(spark)

        def frame():
            reader = spark.read.format("streammap").option("mapping", str(HERE / "Mappings/logs.map.yaml"))
            return (reader.option("records", "$[*]") if is_document else reader).load(feed)
    else:

        def frame():
            read = spark.read.schema(SCHEMA).option("multiLine", is_document).json(feed)
            return read.select("time", "level", "service", "trace_id", F.col("user_id").alias("user"), "http.*", "tags", "message")

    memory = Memory()
    memory.start()
    start = time.perf_counter()
    try:
        observed = F.count("*").alias("rows"), F.sum("status").alias("status"), F.sum("user").alias("user")
        from pyspark.sql import Observation

        seen = Observation()
        # All columns are wanted, and go nowhere.
        frame().observe(seen, *observed).write.format("noop").mode("overwrite").save()
        row = seen.get
        answer = {"seconds": time.perf_counter() - start, "rows": row["rows"], "checks": [row["status"], row["user"]]}
    except Exception as error:
        text = str(error)
        reason = next((name for name in ("OutOfMemoryError", "ExecutorLostFailure", "heartbeat") if name in text), text[:300])
        answer = {"seconds": time.perf_counter() - start, "failed": reason}
    memory.over.set()
    answer |= {"peak": memory.peak, "python": memory.python}
    print(json.dumps(answer))
    spark.stop()


main()
