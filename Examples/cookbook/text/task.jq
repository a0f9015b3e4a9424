# jq -r
.message
