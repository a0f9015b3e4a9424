# jq
select(.http.path // "" | startswith("/items/")) | {
  item: (.http.path | capture("^/items/(?<n>\\d+)$").n | tonumber),
  steps: (.message | capture("in (?<n>\\d+) steps").n | tonumber)
}
