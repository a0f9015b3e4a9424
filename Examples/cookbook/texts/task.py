from everyday import *

from urllib.parse import parse_qsl, urlsplit

factors = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30}
for record in lines():
    index, cpu, memory, url = record.get("index"), record["cpu"], record["memory"], urlsplit(record["url"])
    put({
        "address": f"{record['module']}.{record['name']}" + ("" if index is None else f"[{index}]"),
        "cpu": number(Decimal(cpu[:-1]) / 1000 if cpu.endswith("m") else Decimal(cpu)),
        "memory": int(memory[:-2]) * factors[memory[-2:]] if memory[-2:] in factors else int(memory),
        "path": url.path,
        "query": dict(parse_qsl(url.query, keep_blank_values=True)),
    })
