# jq -R
fromjson? | select(.qty? | numbers | . == floor) | {id, qty}
