from everyday import *

import csv
from pathlib import Path

with open(Path(__file__).parent / "countries.csv", newline="", encoding="utf-8") as file:
    names = {row["code"]: row["name"] for row in csv.DictReader(file)}
for record in lines():
    put({"name": record.get("first"), "country": names.get(record["cc"])})
