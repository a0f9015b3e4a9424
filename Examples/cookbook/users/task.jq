# jq
.users | to_entries[] | .value + {id: (.key | tonumber)}
