from everyday import *

csv_rows([{
    "time": record.get("time"),
    "service": record.get("service"),
    "http.method": record["http"].get("method"),
    "http.status": record["http"]["status"],
    "http.ms": record["http"].get("ms"),
    "tags": record["tags"],
} for record in lines()])
