from everyday import *

for record in lines():
    message = record["message"]
    print(message if isinstance(message, str) else dump(message))
