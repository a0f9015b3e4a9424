from everyday import *

csv_rows([
    {"service": record.get("service"), "tag": tag} for record in lines() for tag in record["tags"] or [None]
])
