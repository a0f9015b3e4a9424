from everyday import *

columns = document()
for label in next(iter(columns.values())):
    put({"row": {"label": label, **{name: column[label] for name, column in columns.items()}}})
