from everyday import *


def flat(record, prefix=""):
    for key, value in record.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


def merge(tree, record):
    for key, value in record.items():
        if isinstance(value, dict):
            merge(tree.setdefault(key, {}), value)
        else:
            tree.setdefault(key, None)


tree = {}
for record in (records := lines()):
    merge(tree, record)
csv_rows([dict(flat(tree)) | dict(flat(record)) for record in records])
