"""What several tests use."""

RECORDS = {"lines": None, "document": "$.list[*]"}
PART = 1 << 20


def load(spark, feed, mapping, kind="lines", **options):
    reader = spark.read.format("streammap").option("mapping", mapping).option("partition_bytes", PART)
    if RECORDS[kind]:
        reader = reader.option("records", RECORDS[kind])
    for name, value in options.items():
        reader = reader.option(name, value)
    return reader.load(str(feed))
