"""Counts of a feed by a Spark cluster: counts.py MAPPING FEED…

    SPARK_HOME=$(python3 -c 'import pyspark; print(pyspark.__path__[0])') \\
      python3 Examples/Spark/counts.py Examples/columns.map.yaml Examples/orders.ndjson
"""

import sys

from pyspark.sql import SparkSession

import streammap.spark

spark = SparkSession.builder.appName("streammap counts").getOrCreate()
streammap.spark.register(spark)
mapping, feeds = sys.argv[1], sys.argv[2:]

records = spark.read.format("streammap").option("mapping", mapping).option("errors", "skip").load(feeds)
rejects = spark.read.format("streammap").option("mapping", mapping).option("rejects", True).load(feeds)
print(f"{records.count()} records in {records.rdd.getNumPartitions()} parts, {rejects.select("feed", "details").distinct().count()} rejects")
rejects.groupBy("code", "path").count().orderBy("count", ascending=False).show(truncate=False)
spark.stop()
