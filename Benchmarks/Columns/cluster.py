"""A feed by two executors of one core: cluster.py (streammap|spark)[:few] FEED. Prints JSON: seconds, rows, checks, executors' memory.

The same query runs RUNS times after each other. The first one pays for what an executor does once: Python starts, classes are loaded
and compiled. `again` is the median of the others, as in a session that continues; `processor` is the processor time of the executors and
their workers of Python for one of them. `few` asks for three columns.
"""

import collections
import json
import os
import pathlib
import statistics
import sys
import threading
import time

import pyspark
from pyspark.sql import Observation, SparkSession
from pyspark.sql import functions as F

HERE = pathlib.Path(__file__).resolve().parents[1]
SCHEMA = """
    time string, level string, service string, trace_id string, user_id bigint,
    http struct<method: string, path: string, status: bigint, ms: double>, tags array<string>, message string
"""
FEW = """
streammap: 1
record:
  level: { from: level, type: string }
  user: { from: user_id, type: int64 }
  status: { from: http.status, type: int64 }
"""
RUNS = 6


class Memory(threading.Thread):
    """The largest sum of the executors' resident memory, their workers of Python included."""

    def __init__(self):
        super().__init__(daemon=True)
        self.peak, self.python, self.over = 0, 0, threading.Event()
        self.tasks = []

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
        self.tasks = executors + workers
        self.peak = max(self.peak, sum(found[pid][1] for pid in executors + workers))
        self.python = max(self.python, max((found[pid][1] for pid in workers), default=0))

    def processor(self):
        """The processor time of the executors and their workers, so far, in seconds."""
        self.look()
        ticks = 0
        for pid in self.tasks:
            fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
            ticks += sum(map(int, fields[11:15]))
        return ticks / os.sysconf("SC_CLK_TCK")


def main():
    kind, feed = sys.argv[1:]
    is_document = feed.endswith(".json")
    kind, _, few = kind.partition(":")
    os.environ["SPARK_HOME"] = os.path.dirname(pyspark.__file__)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.executor.memory", "1g")
    for name in ("PYTHONPATH", "STREAMMAP_LIBRARY"):
        if name in os.environ:
            builder = builder.config(f"spark.executorEnv.{name}", os.environ[name])
    for name, value in {
        "spark.ui.enabled": "false", "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
        "spark.task.maxFailures": "1", "spark.log.level": "ERROR",
        # An option of Arrow in Spark: no bounds are checked twice. It is set for both readers; one of them uses it.
        "spark.executor.extraJavaOptions": "-Darrow.enable_unsafe_memory_access=true -Darrow.enable_null_check_for_get=false",
    }.items():  # fmt: skip
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    # Both executors are there, and have run something.
    spark.range(100, numPartitions=4).selectExpr("sum(id)").collect()
    if kind == "streammap":
        import streammap.spark

        streammap.spark.register(spark)

        def frame():
            mapping = FEW if few else str(HERE / "Mappings/logs.map.yaml")
            reader = spark.read.format("streammap").option("mapping", mapping)
            return (reader.option("records", "$[*]") if is_document else reader).load(feed)
    else:

        def frame():
            read = spark.read.schema(SCHEMA).option("multiLine", is_document).json(feed)
            user = F.col("user_id").alias("user")
            if few:
                return read.select("level", user, "http.status")
            return read.select("time", "level", "service", "trace_id", user, "http.*", "tags", "message")

    memory = Memory()
    memory.start()
    runs = []
    start = time.perf_counter()
    try:
        observed = F.count("*").alias("rows"), F.sum("status").alias("status"), F.sum("user").alias("user")
        for _ in range(RUNS):
            seen = Observation()
            start, processor = time.perf_counter(), memory.processor()
            # All columns are wanted, and go nowhere.
            frame().observe(seen, *observed).write.format("noop").mode("overwrite").save()
            row = seen.get
            runs.append((time.perf_counter() - start, memory.processor() - processor, row["rows"], row["status"], row["user"]))
        again, used = (statistics.median(run[i] for run in runs[1:]) for i in (0, 1))
        answer = {"seconds": runs[0][0], "again": again, "processor": used, "rows": row["rows"], "checks": [row["status"], row["user"]]}
        answer["runs"] = [[round(number, 2) for number in run[:2]] for run in runs]
    except Exception as error:
        text = str(error)
        reason = next((name for name in ("OutOfMemoryError", "ExecutorLostFailure", "heartbeat") if name in text), text[:300])
        answer = {"seconds": time.perf_counter() - start, "failed": reason}
    memory.over.set()
    answer |= {"peak": memory.peak, "python": memory.python}
    print(json.dumps(answer))
    spark.stop()


main()
