from everyday import *

for change in document()["resource_changes"]:
    actions = change["change"]["actions"]
    if actions[0] == "no-op":
        continue
    address = change["type"] + "." + change["name"]
    if "module_address" in change:
        address = change["module_address"] + "." + address
    if "index" in change:
        address += "[" + json.dumps(change["index"]) + "]"
    put({"address": address, "actions": "/".join(actions)})
