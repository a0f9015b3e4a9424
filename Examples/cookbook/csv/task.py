from everyday import *

csv_rows([{
    "service": record.get("service"),
    "status": record["http"]["status"],
    "message": record.get("message"),
} for record in lines()])
