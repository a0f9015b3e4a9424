# jq -n --stream
fromstream(2 | truncate_stream(inputs | select(.[0][0] == "orders"))) | {id, customer: .customer.name}
