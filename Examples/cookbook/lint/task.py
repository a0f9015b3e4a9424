from everyday import *

for file in document():
    for message in file.get("messages") or []:
        put({
            "file": file["filePath"],
            "line": message["line"],
            "level": {1: "warning", 2: "error"}[message["severity"]],
            "rule": message.get("ruleId"),
        })
