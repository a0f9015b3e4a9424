from everyday import *

for row in document()["rows"]:
    row += [None, None]
    put({"id": row[0], "name": row[1], "people": row[2]})
