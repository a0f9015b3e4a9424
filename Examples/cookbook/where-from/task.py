from everyday import *

from pathlib import Path

for file in sorted((Path(__file__).parent / "feed").iterdir()):
    offset = 0
    for number, line in enumerate(file.read_bytes().splitlines(keepends=True), 1):
        record = json.loads(line) if line.strip() else {}
        if record.get("level") in ("error", "warn"):
            put({
                "file": "/".join(file.parts[-3:]),
                "line": number,
                "offset": offset + len(line) - len(line.lstrip()),
                "service": record.get("service"),
            })
        offset += len(line)
