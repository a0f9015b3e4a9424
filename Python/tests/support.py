"""What several tests use."""

import io

import streammap


def lines(feed, mapping, **options) -> bytes:
    """The output records as lines of JSON."""
    target = io.BytesIO()
    streammap.open(feed, mapping, **options).write(target, "ndjson")
    return target.getvalue()
