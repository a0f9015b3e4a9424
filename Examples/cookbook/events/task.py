from everyday import *

for event in lines():
    kind, what = event.get("type"), None
    if kind == "PushEvent":
        what = len(event["payload"]["commits"])
    elif kind == "IssuesEvent":
        issue = event["payload"]["issue"]
        what = {"number": issue.get("number"), "title": issue.get("title")}
    put({"id": int(event["id"]), "who": (event.get("actor") or {}).get("login"), "what": what})
