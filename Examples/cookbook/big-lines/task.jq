# jq
.orders[] | {id, big: [.lines[] | select(.qty >= 2) | {sku, qty}]}
