# jq
.orders[].lines[]? | {sku, total: (.price * .qty - (.discount // 0) | . * 100 | round / 100)}
