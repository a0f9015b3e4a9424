from everyday import *

for key, user in document()["users"].items():
    put({"id": int(key)} | {name: value for name, value in user.items() if name != "id"})
