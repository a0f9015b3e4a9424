from everyday import *

table = document()
for row in table["rows"]:
    put(dict(zip(table["columns"], row)))
