from everyday import *

for record in lines():
    put({key: value for key, value in record.items() if key not in ("password", "prefs", "attrs")})
