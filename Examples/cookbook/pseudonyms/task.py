from everyday import *

import hashlib
import hmac

for record in lines():
    person = (record["first"] + record["born"]).lower().encode()
    digest = hmac.new(b"r3d-h0t", person, hashlib.sha256).hexdigest()
    put({"person": digest[:16], "country": record.get("cc")})
