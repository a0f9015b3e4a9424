from everyday import *

for order in document()["orders"]:
    put(order)
