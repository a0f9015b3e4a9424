# jq -s
map({service, level})
