from everyday import *

for pod in document()["items"]:
    metadata, status = pod["metadata"], pod["status"]
    put({
        "pod": metadata.get("name"),
        "app": (metadata.get("labels") or {}).get("app.kubernetes.io/name"),
        "phase": status.get("phase"),
        "images": " ".join(container["image"] for container in pod["spec"]["containers"]),
        "restarts": [one["restartCount"] for one in status.get("containerStatuses") or []],
    })
