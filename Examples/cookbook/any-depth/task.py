from everyday import *


def find(value):
    if isinstance(value, dict) and "sku" in value:
        put({"sku": value["sku"]})
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
        find(part)


find(document())
