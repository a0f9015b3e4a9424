# jq
.orders[] | . as $o | .lines[]? | {order: $o.id, customer: $o.customer.name, sku, qty}
