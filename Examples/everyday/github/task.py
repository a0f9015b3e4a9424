from everyday import *

rows = []
for event in lines():
    payload = event["payload"]
    release = payload.get("release", {})
    ref = payload.get("ref", "")
    commits = payload.get("commits", [])
    rows.append({
        "id": int(event["id"]),
        "at": event["created_at"],
        "kind": event["type"].removesuffix("Event"),
        "who": event["actor"]["login"],
        "repo": event["repo"]["name"],
        "action": payload.get("action"),
        "number": payload.get("issue", {}).get("number", payload.get("number")),
        "title": payload.get("issue", {}).get("title") or payload.get("pull_request", {}).get("title")
        or release.get("name") or release.get("tag_name"),
        "branch": ref[len("refs/heads/"):] if ref.startswith("refs/heads/") else None,
        "sha": commits[-1]["sha"] if commits else None,
    })
csv_rows(rows)
