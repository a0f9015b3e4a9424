from everyday import *

METHODS = ["get", "put", "post", "delete", "patch", "head", "options", "trace"]

for path, item in document()["paths"].items():
    for method, operation in item.items():
        if method in METHODS:
            put({
                "path": path,
                "method": method.upper(),
                "operation": operation.get("operationId"),
                "tags": ",".join(operation.get("tags", [])),
                "parameters": len(operation.get("parameters", [])),
                "deprecated": operation.get("deprecated", False),
            })
