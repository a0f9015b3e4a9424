from everyday import *

table = document()
for row in table["data"]:
    put(dict(zip(table["columns"], row)))
