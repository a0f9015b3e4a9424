# jq -R
fromjson? | select((.id | numbers >= 1) and (.qty | numbers | . >= 1 and . <= 3)) | {id, qty}
