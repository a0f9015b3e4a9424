# jq
.orders[] | select((.lines | length) > 0) | .lines[] | select(.qty? | numbers >= 3) | {sku, qty}
