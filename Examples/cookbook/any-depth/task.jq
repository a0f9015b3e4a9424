# jq
.. | objects | select(has("sku")) | {sku}
