from everyday import *

for event in document()["Records"]:
    user = event["userIdentity"]
    put({
        "at": event["eventTime"],
        "event": event["eventSource"].replace(".amazonaws.com", "") + ":" + event["eventName"],
        "read_only": event["readOnly"] in (True, "true"),
        "user": user.get("userName") or user.get("invokedBy") or user["type"],
        "arns": " ".join(one["ARN"] for one in event.get("resources") or []),
        "failed": "errorCode" in event,
    })
