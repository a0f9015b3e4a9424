from everyday import *

from pathlib import Path

for file in sorted((Path(__file__).parent / "feed").iterdir()):
    for item in json.loads(file.read_text())["items"]:
        put({"id": item["id"], "title": item.get("title")})
