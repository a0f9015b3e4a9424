from everyday import *

rows = []
for pod in document()["items"]:
    statuses = {one["name"]: one for one in pod["status"].get("containerStatuses", [])}
    for container in pod["spec"]["containers"]:
        requests = container["resources"].get("requests", {})
        status = statuses.get(container["name"], {})
        cpu, memory = str(requests.get("cpu", "")), requests.get("memory")
        if memory:
            memory = int(memory[:-2]) * {"Mi": 2**20, "Gi": 2**30}[memory[-2:]]
        rows.append({
            "namespace": pod["metadata"]["namespace"],
            "pod": pod["metadata"]["name"],
            "container.name": container["name"],
            "container.image": container["image"],
            "container.cpu": number(Decimal(cpu[:-1]) / 1000) if cpu.endswith("m") else number(cpu) if cpu else None,
            "container.memory": memory,
            "container.restarts": status.get("restartCount", 0),
            "container.ready": status.get("ready", False),
        })
csv_rows(rows)
